import { Agenda } from '../../../../../dev/chaos/people/agenda';

it('hands out what is due before anything new, and the longest waiting first', () => {
	const agenda = new Agenda(['one', 'two', 'three']);
	expect([agenda.take(0), agenda.take(0)]).toEqual(['one', 'two']);
	agenda.layAside('one', 20);
	agenda.layAside('two', 10);
	expect(agenda.take(30)).toBe('two');
	expect(agenda.take(30)).toBe('one');
	expect(agenda.take(30)).toBe('three');
});

it('lets nobody wait for what is laid aside while there is something new', () => {
	const agenda = new Agenda(['one', 'two']);
	agenda.take(0);
	agenda.layAside('one', 100);
	expect(agenda.take(50)).toBe('two');
	expect(agenda.take(50)).toBeUndefined();
	expect(agenda.take(100)).toBe('one');
});

it('is over when everything was finished, and not while something is worked on', () => {
	const agenda = new Agenda(['one']);
	expect(agenda.isOver).toBe(false);
	agenda.take(0);
	expect(agenda.isOver).toBe(false);
	agenda.layAside('one', 5);
	expect(agenda.isOver).toBe(false);
	agenda.take(5);
	agenda.finish();
	expect(agenda.isOver).toBe(true);
	expect(agenda.take(5)).toBeUndefined();
});

it('names the first moment that somebody waits for, once all that is left waits', () => {
	const agenda = new Agenda(['one', 'two']);
	expect(agenda.nextAt).toBeUndefined();
	agenda.take(0);
	agenda.layAside('one', 20);
	// The other one can be begun.
	expect(agenda.nextAt).toBeUndefined();
	agenda.take(0);
	expect(agenda.nextAt).toBeUndefined();
	agenda.layAside('two', 10);
	expect(agenda.nextAt).toBe(10);
	agenda.take(10);
	expect(agenda.nextAt).toBeUndefined();
	agenda.finish();
	expect(agenda.nextAt).toBe(20);
	agenda.take(20);
	agenda.finish();
	expect(agenda.nextAt).toBeUndefined();
});
