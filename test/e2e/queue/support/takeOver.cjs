/**
 * Loaded into a worker before n8n: gives back what n8n had before version 2.0, where the job of a
 * worker that died was handed to another one, once. Nothing else is changed.
 */
const Queue = require(process.env.EXAMPLE_BULL);

const { moveUnlockedJobsToWait } = Queue.prototype;
Queue.prototype.moveUnlockedJobsToWait = function (...args) {
	this.settings.maxStalledCount = 1;
	return moveUnlockedJobsToWait.apply(this, args);
};
