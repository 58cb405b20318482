/** The state of a field that finds members by name: the typed text, the members found, and the chosen one. */
import { signal } from "@preact/signals";
import { MEMBERS_FOUND_MAX } from "../../src/limits.ts";
import { memberIdFrom, type Member } from "./member-names.ts";
import { runLater } from "./run-later.ts";

/** A member is searched for when the reader stops typing. */
export const SEARCH_DELAY_MS = 250;

export type MemberSearch = ReturnType<typeof createMemberSearch>;

const EMPTY = {
	text: "",
	/** `null` before a response. */
	found: null as readonly Member[] | null,
	error: null as unknown,
	chosen: null as Member | null,
	isOpen: false,
	/** The option that the arrow keys have reached; -1 for none. */
	active: -1,
};

export function createMemberSearch(search: (name: string) => Promise<readonly Member[]>) {
	const state = signal(EMPTY);
	let typings = 0;
	/** False once the reader has left the field or closed the list. */
	let mayOpen = false;
	let cancel: (() => void) | undefined;

	const update = (change: Partial<typeof EMPTY>): void => void (state.value = { ...state.value, ...change });

	async function run(name: string, typing: number): Promise<void> {
		let found: readonly Member[] = [];
		let error: unknown = null;
		try {
			found = await search(name);
		} catch (thrown) {
			error = thrown;
		}
		// The reader has typed on, or chosen a member.
		if (typing === typings) update({ found, error, isOpen: mayOpen && found.length > 0, active: -1 });
	}

	function reset(text: string): void {
		typings += 1;
		cancel?.();
		state.value = { ...EMPTY, text };
	}

	return {
		state,
		type: (typed: string): void => {
			reset(typed);
			mayOpen = true;
			const name = typed.trim();
			const typing = typings;
			if (name !== "" && memberIdFrom(name) === null) cancel = runLater(() => void run(name, typing), SEARCH_DELAY_MS);
		},
		/** Moves to another option, around the ends of the list. */
		move: (step: 1 | -1): void => {
			const { found, active } = state.value;
			const count = found?.length ?? 0;
			if (count === 0) return;
			const from = active === -1 && step === -1 ? 0 : active;
			update({ isOpen: true, active: (from + step + count) % count });
		},
		close: (): void => {
			mayOpen = false;
			update({ isOpen: false, active: -1 });
		},
		choose: (chosen: Member): void => {
			reset(chosen.name);
			update({ chosen });
		},
		clear: (): void => reset(""),
		/** The id of the chosen member, of the only one with the typed name, or the typed id. A full list may lack others of the name. */
		memberId: (): string | null => {
			const { text, found, chosen } = state.value;
			if (chosen) return chosen.id;
			const name = text.trim().toLowerCase();
			const named = (found ?? []).filter((member) => member.name.toLowerCase() === name);
			const isOnlyOne = named.length === 1 && found && found.length < MEMBERS_FOUND_MAX;
			return memberIdFrom(text) ?? (isOnlyOne ? (named[0]?.id ?? null) : null);
		},
	};
}
