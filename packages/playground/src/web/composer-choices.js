/**
 * Choices that the bot has to be asked for. At most one question is open; a newer one ends the older.
 *
 * @import { Choice } from "./composer-draft.js"
 */

/** @typedef {{ name: string, query: string, choices: readonly Choice[], busy: boolean, fault: string | null }} Asked */

/** A person who types on is not done asking. */
const DEBOUNCE_MS = 180;

/**
 * @param {{ ask: (name: string, signal: AbortSignal) => Promise<readonly Choice[]>, onChange: () => void }} deps
 */
export function createChoiceSource({ ask, onChange }) {
	/** @type {Asked | null} */
	let asked = null;
	let abort = new AbortController();
	let timer = 0;

	/**
	 * @param {string} name
	 * @param {AbortSignal} signal
	 */
	async function run(name, signal) {
		try {
			const choices = await ask(name, signal);
			if (signal.aborted || asked?.name !== name) return;
			asked = { ...asked, choices, busy: false, fault: null };
		} catch (error) {
			if (signal.aborted || asked?.name !== name) return;
			asked = {
				...asked,
				choices: [],
				busy: false,
				fault: error instanceof Error ? error.message : "The bot did not answer.",
			};
		}
		onChange();
	}

	return {
		/**
		 * What is known for an option and the text in it; asks when that is something new.
		 *
		 * @param {string} name
		 * @param {string} query
		 * @returns {Asked}
		 */
		look(name, query) {
			if (asked?.name === name && asked.query === query) return asked;
			const first = asked?.name !== name;
			asked = { name, query, choices: first ? [] : (asked?.choices ?? []), busy: true, fault: null };
			abort.abort();
			abort = new AbortController();
			const { signal } = abort;
			clearTimeout(timer);
			timer = setTimeout(() => void run(name, signal), first ? 0 : DEBOUNCE_MS);
			return asked;
		},
		/** The choices at hand for an option, without asking. @param {string} name */
		known: (name) => (asked?.name === name ? asked.choices : []),
		forget() {
			abort.abort();
			clearTimeout(timer);
			asked = null;
		},
	};
}
