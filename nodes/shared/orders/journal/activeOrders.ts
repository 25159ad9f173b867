interface Activity {
	/** Another run that overlapped with this one has ended without knowing the effect of its request. */
	isUnclear: boolean;
}

/**
 * Knows which runs of this process may be sending which order, so that one that had no effect does not
 * wipe out what another one has sent. Killing the process ends all runs, so memory is enough.
 */
export class ActiveOrders {
	private readonly byOrder = new Map<string, Map<object, Activity>>();

	/** Forgets everything, as a restart does. */
	clear(): void {
		this.byOrder.clear();
	}

	/** To be called when a run is allowed to send an order. Once more by the same run changes nothing. */
	enter(order: string, run: object): void {
		const activities = this.byOrder.get(order) ?? new Map<object, Activity>();
		this.byOrder.set(order, activities);
		if (!activities.has(run)) activities.set(run, { isUnclear: false });
	}

	/** Whether only this run can have sent the order since it was allowed to. */
	isAlone(order: string, run: object): boolean {
		const activities = this.byOrder.get(order);
		return activities?.size === 1 && activities.get(run)?.isUnclear === false;
	}

	/** Whether another run may be sending the order right now. */
	isWithOthers(order: string, run: object): boolean {
		const activities = this.byOrder.get(order);
		return activities !== undefined && activities.size > (activities.has(run) ? 1 : 0);
	}

	/** To be called when a run has ended. @param isUnclear it may have sent the order, with unknown effect */
	leave(order: string, run: object, isUnclear: boolean): void {
		const activities = this.byOrder.get(order);
		if (activities === undefined || !activities.delete(run)) return;
		if (activities.size === 0) this.byOrder.delete(order);
		if (isUnclear) for (const activity of activities.values()) activity.isUnclear = true;
	}
}
