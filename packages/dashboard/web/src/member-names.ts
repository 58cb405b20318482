/** Collects the ids of members that the page shows, and reads their names in batches. */
import { signal } from "@preact/signals";
import type { Members } from "../../src/schemas/members.ts";

export type Member = Members["members"][number];

const BATCH_MAX = 100;
/** Components that render together ask together. */
const COLLECT_MS = 20;

export function createMemberNames(read: (ids: readonly string[]) => Promise<readonly Member[]>) {
	const known = signal<ReadonlyMap<string, Member>>(new Map());
	const asked = new Set<string>();
	let waiting: string[] = [];
	let reading = Promise.resolve();

	function learn(members: readonly Member[]): void {
		known.value = new Map([...known.value, ...members.map((member) => [member.id, member] as const)]);
	}

	async function readBatch(ids: readonly string[]): Promise<void> {
		learn(await read(ids).catch(() => []));
		// The page keeps showing ids without a name, and asks again when it shows them anew.
		for (const id of ids) if (!known.value.has(id)) asked.delete(id);
	}

	/** Reads one batch after the other: the bot asks Discord about each member. */
	function flush(): void {
		const ids = waiting;
		waiting = [];
		for (let start = 0; start < ids.length; start += BATCH_MAX)
			reading = reading.then(() => readBatch(ids.slice(start, start + BATCH_MAX)));
	}

	return {
		known,
		/** Returns the id before the name is known. */
		nameOf: (id: string): string => known.value.get(id)?.name ?? id,
		/** Remembers members that another response named. */
		learn,
		/** Reads the name unless it is known or already asked for. */
		request: (id: string): void => {
			if (asked.has(id) || known.value.has(id)) return;
			asked.add(id);
			waiting.push(id);
			if (waiting.length === 1) setTimeout(flush, COLLECT_MS);
		},
	};
}

/** Reads an id, or a mention such as `<@42>`. `null` for a name. */
export function memberIdFrom(text: string): string | null {
	return /^(?:<@!?)?(\d{1,20})>?$/.exec(text.trim())?.[1] ?? null;
}
