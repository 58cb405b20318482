/** A bit field as the types want it: they know the single flags by name, and neither their sums nor none of them. */
// Its one use is the answer: which of the types' enums this is, the place that it is put in decides.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
export function flagsOf<Flags extends number>(bits: number): Flags {
	return bits as Flags;
}
