/** Counts the members who would be over changed limits, while the reader edits them. */
import { computed, effect, signal, type ReadonlySignal } from "@preact/signals";
import type { LimitsPreview } from "../../src/schemas/settings.ts";
import type { ServerSettings } from "../../src/server-settings.ts";
import type { Path } from "../../src/setting-paths.ts";

/** Members are counted when the reader stops typing. */
const COUNT_DELAY_MS = 500;

type Limits = Pick<ServerSettings, "allowance" | "timeZone">;

interface EditedSettings {
	readonly draft: ReadonlySignal<Limits | null>;
	readonly changes: ReadonlySignal<readonly Path[]>;
	readonly invalidFields: ReadonlySignal<ReadonlySet<string>>;
}

interface Deps {
	readonly count: (limits: Limits) => Promise<LimitsPreview>;
	/** Returns a function that cancels the run. */
	readonly later: (run: () => void, delayMs: number) => () => void;
}

interface Counted extends LimitsPreview {
	/** The limits as JSON. */
	readonly key: string;
	readonly per: ServerSettings["allowance"]["per"];
}

export function countMembersOver({ draft, changes, invalidFields }: EditedSettings, { count, later }: Deps) {
	const counted = signal<Counted | null>(null);
	/** `null` if there is nothing to count. */
	const key = computed(() => {
		const areChanged = changes.value.some(([group]) => group === "allowance" || group === "timeZone");
		if (!draft.value || !areChanged || invalidFields.value.size > 0) return null;
		return JSON.stringify([draft.value.allowance, draft.value.timeZone]);
	});
	const stop = effect(() => {
		const present = key.value;
		const limits = draft.peek();
		if (present === null || !limits || counted.peek()?.key === present) return undefined;
		const { allowance, timeZone } = limits;
		const load = async (): Promise<void> => {
			counted.value = { ...(await count({ allowance, timeZone })), key: present, per: allowance.per };
		};
		// Without a count the limits can be saved all the same.
		return later(() => void load().catch(() => null), COUNT_DELAY_MS);
	});
	return {
		/** The count for the present limits; `null` before it is known. */
		shown: computed(() => (counted.value?.key === key.value ? counted.value : null)),
		stop,
	};
}
