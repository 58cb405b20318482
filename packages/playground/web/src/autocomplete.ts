/** Asks the bot for the choices of an option. At most one request is open; a newer one cancels the older. */
import { signal } from "@preact/signals";
import { errorText } from "./api.ts";
import type { Choice } from "./command-draft.ts";

export interface AskedChoices {
	readonly name: string;
	readonly query: string;
	readonly choices: readonly Choice[];
	readonly isBusy: boolean;
	readonly fault: string | null;
}

const DEBOUNCE_MS = 180;

export function createAutocomplete(request: (name: string, signal: AbortSignal) => Promise<readonly Choice[]>) {
	const asked = signal<AskedChoices | null>(null);
	let abort = new AbortController();
	let timer: ReturnType<typeof setTimeout> | undefined;

	async function send(name: string, { signal: aborted }: AbortController): Promise<void> {
		const answer = await request(name, aborted).then(
			(choices) => ({ choices, fault: null }),
			(error: unknown) => ({ choices: [], fault: errorText(error) }),
		);
		const last = asked.peek();
		if (!aborted.aborted && last?.name === name) asked.value = { ...last, ...answer, isBusy: false };
	}

	return {
		asked,
		/** Asks for an option and its text, unless that is the last question. */
		ask(name: string, query: string): void {
			const last = asked.peek();
			if (last?.name === name && last.query === query) return;
			const isFirst = last?.name !== name;
			abort.abort();
			const current = (abort = new AbortController());
			clearTimeout(timer);
			timer = setTimeout(() => void send(name, current), isFirst ? 0 : DEBOUNCE_MS);
			asked.value = { name, query, choices: isFirst ? [] : last.choices, isBusy: true, fault: null };
		},
		forget(): void {
			abort.abort();
			clearTimeout(timer);
			asked.value = null;
		},
	};
}
