/** Changes of records and lists in settings. Pure. */

export function withoutKey<Value>(record: Readonly<Record<string, Value>>, key: string): Record<string, Value> {
	const { [key]: _, ...others } = record;
	return others;
}

/** Returns the record with this value, or without the key for `undefined`. */
export function withEntry<Value>(
	record: Readonly<Record<string, Value>>,
	key: string,
	value: Value | undefined,
): Record<string, Value> {
	return value === undefined ? withoutKey(record, key) : { ...record, [key]: value };
}

/** Returns the list with or without the value. */
export function toggled<Value>(list: readonly Value[], value: Value, isListed: boolean): Value[] {
	const others = list.filter((each) => each !== value);
	return isListed ? [...others, value] : others;
}
