import type { z } from "zod";
import type { History } from "../../src/schemas.ts";
import { useApp } from "./app-context.ts";

/** The change of the credits with its sign. A hold shows its amount without a sign, because it leaves them as they are. */
export function EntryCredits({
	amountCredits,
	changeCredits,
}: Pick<z.infer<typeof History>["entries"][number], "amountCredits" | "changeCredits">) {
	const { formats } = useApp();
	return changeCredits === 0 ? formats.number(amountCredits) : formats.signed(changeCredits);
}
