/** The state of a field that finds members by name: the typed text, the members found, and the chosen one. */
import { batch, signal } from "@preact/signals";
import { memberIdFrom, type Member } from "./member-names.ts";

/** A member is searched for when the reader stops typing. */
export const SEARCH_DELAY_MS = 250;

interface Deps {
	readonly search: (name: string) => Promise<readonly Member[]>;
	/** Returns a function that cancels the run. */
	readonly later: (run: () => void, delayMs: number) => () => void;
}

export type MemberSearch = ReturnType<typeof createMemberSearch>;

export function createMemberSearch({ search, later }: Deps) {
	const text = signal("");
	/** `null` before a response. */
	const found = signal<readonly Member[] | null>(null);
	const error = signal<unknown>(null);
	const isOpen = signal(false);
	/** The option that the arrow keys have reached; -1 for none. */
	const active = signal(-1);
	const chosen = signal<Member | null>(null);
	let typings = 0;
	/** False once the reader has left the field or closed the list. */
	let mayOpen = false;
	let cancel: (() => void) | undefined;

	async function run(name: string, typing: number): Promise<void> {
		let members: readonly Member[] = [];
		let cause: unknown = null;
		try {
			members = await search(name);
		} catch (thrown) {
			cause = thrown;
		}
		// The reader has typed on, or chosen a member.
		if (typing !== typings) return;
		batch(() => {
			found.value = members;
			error.value = cause;
			isOpen.value = mayOpen && members.length > 0;
			active.value = -1;
		});
	}

	function reset(next: string): void {
		typings += 1;
		cancel?.();
		batch(() => {
			text.value = next;
			found.value = null;
			error.value = null;
			isOpen.value = false;
			active.value = -1;
			chosen.value = null;
		});
	}

	return {
		text,
		found,
		error,
		isOpen,
		active,
		type: (typed: string): void => {
			reset(typed);
			mayOpen = true;
			const name = typed.trim();
			const typing = typings;
			if (name !== "" && memberIdFrom(name) === null) cancel = later(() => void run(name, typing), SEARCH_DELAY_MS);
		},
		/** Moves to another option, around the ends of the list. */
		move: (step: 1 | -1): void => {
			const count = found.value?.length ?? 0;
			if (count === 0) return;
			const from = active.value === -1 && step === -1 ? 0 : active.value;
			batch(() => {
				isOpen.value = true;
				active.value = (from + step + count) % count;
			});
		},
		close: (): void => {
			mayOpen = false;
			isOpen.value = false;
			active.value = -1;
		},
		choose: (member: Member): void => {
			reset(member.name);
			chosen.value = member;
		},
		clear: (): void => reset(""),
		/** The id of the chosen member, of the only one with the typed name, or the typed id. */
		memberId: (): string | null => {
			if (chosen.value) return chosen.value.id;
			const name = text.value.trim().toLowerCase();
			const named = (found.value ?? []).filter((member) => member.name.toLowerCase() === name);
			return memberIdFrom(text.value) ?? (named.length === 1 ? (named[0]?.id ?? null) : null);
		},
	};
}
