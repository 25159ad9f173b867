/** A map of limited size: beyond it, the entry that was set first is dropped. */
export class BoundedMap<K, V> extends Map<K, V> {
	constructor(private readonly capacity: number) {
		super();
	}

	override set(key: K, value: V): this {
		super.set(key, value);
		if (this.size <= this.capacity) return this;
		const [oldest] = this.keys();
		if (oldest !== undefined) this.delete(oldest);
		return this;
	}
}
