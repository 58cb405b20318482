type Defined<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };

/** Returns the fields of a change that are not `undefined`. */
export function definedFields<Fields extends object>(change: Fields): Defined<Fields> {
	return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as Defined<Fields>;
}
