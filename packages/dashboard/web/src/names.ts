/** Collects the ids of members that the page shows, and reads their names in batches. */
import { signal, type ReadonlySignal } from "@preact/signals";
import type { z } from "zod";
import type { MemberNames as MemberNamesBody } from "../../src/schemas.ts";

export type Member = z.infer<typeof MemberNamesBody>["members"][number];

const BATCH_MAX = 100;
/** Components that render together ask together. */
const COLLECT_MS = 20;

export interface MemberNames {
	readonly known: ReadonlySignal<ReadonlyMap<string, Member>>;
	/** Reads the name unless it is known or already asked for. */
	request(id: string): void;
}

interface Deps {
	readonly read: (ids: readonly string[]) => Promise<readonly Member[]>;
	readonly setTimeout: (run: () => void, delayMs: number) => unknown;
}

export function createMemberNames({ read, setTimeout }: Deps): MemberNames {
	const known = signal<ReadonlyMap<string, Member>>(new Map());
	const asked = new Set<string>();
	let waiting: string[] = [];

	async function readBatch(ids: readonly string[]): Promise<void> {
		try {
			const members = await read(ids);
			known.value = new Map([...known.value, ...members.map((member) => [member.id, member] as const)]);
		} catch {
			// The page keeps showing the ids, and asks again when it shows them anew.
			for (const id of ids) asked.delete(id);
		}
	}

	function flush(): void {
		const ids = waiting;
		waiting = [];
		for (let start = 0; start < ids.length; start += BATCH_MAX) void readBatch(ids.slice(start, start + BATCH_MAX));
	}

	return {
		known,
		request: (id) => {
			if (asked.has(id)) return;
			asked.add(id);
			waiting.push(id);
			if (waiting.length === 1) setTimeout(flush, COLLECT_MS);
		},
	};
}

/** Reads an id, a mention such as `<@42>`, or the name of one known member. */
export function memberIdFrom(text: string, known: Iterable<Member>): string | null {
	const trimmed = text.trim();
	const id = /^(?:<@!?)?(\d{1,20})>?$/.exec(trimmed)?.[1];
	if (id !== undefined) return id;
	const named = [...known].filter(({ name }) => name.toLowerCase() === trimmed.toLowerCase());
	return named.length === 1 ? (named[0]?.id ?? null) : null;
}
