/** Casts a bit field to the enum of the types, which have single flags but no combinations. */
// The type parameter is inferred from the target of the assignment.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export function flagsOf<Flags extends number>(bits: number): Flags {
	return bits as Flags;
}
