/** Requests the choices of an option from the bot. A newer request cancels the older one. */
import { signal } from "@preact/signals";
import { errorText } from "./api.ts";
import type { Choice } from "./command-draft.ts";

export interface AutocompleteState {
	readonly optionName: string;
	/** The values of all options, which the choices may depend on. */
	readonly query: string;
	readonly choices: readonly Choice[];
	readonly isBusy: boolean;
	readonly error: string | null;
}

const DEBOUNCE_MS = 180;

export function createAutocomplete(
	fetchChoices: (optionName: string, signal: AbortSignal) => Promise<readonly Choice[]>,
) {
	const state = signal<AutocompleteState | null>(null);
	let controller = new AbortController();
	let timer: ReturnType<typeof setTimeout> | undefined;

	async function send(optionName: string, { signal: abortSignal }: AbortController): Promise<void> {
		const result = await fetchChoices(optionName, abortSignal).then(
			(choices) => ({ choices, error: null }),
			(error: unknown) => ({ choices: [], error: errorText(error) }),
		);
		const last = state.peek();
		if (!abortSignal.aborted && last?.optionName === optionName) state.value = { ...last, ...result, isBusy: false };
	}

	return {
		state,
		/** Requests the choices of an option, unless the last request was the same and did not fail. */
		request(optionName: string, query: string): void {
			const last = state.peek();
			if (last?.optionName === optionName && last.query === query && last.error === null) return;
			const isFirst = last?.optionName !== optionName;
			controller.abort();
			const current = (controller = new AbortController());
			clearTimeout(timer);
			timer = setTimeout(() => void send(optionName, current), isFirst ? 0 : DEBOUNCE_MS);
			state.value = { optionName, query, choices: isFirst ? [] : last.choices, isBusy: true, error: null };
		},
		forget(): void {
			controller.abort();
			clearTimeout(timer);
			state.value = null;
		},
	};
}
