/**
 * The page's requests, and nothing else: the routes of `page-contract.ts`.
 *
 * @import { AutocompleteAnswer, AutocompleteRequest, ApiAttachment, ContextRequest, InvokeAnswer, InvokeRequest,
 *   PageState, PressRequest, SubmitRequest } from "../page-contract.ts"
 */

const TIMEOUT_MS = 20_000;
const UPLOAD_TIMEOUT_MS = 120_000;

/**
 * @param {{ user: () => string | null, server: () => string | null }} deps
 */
export function createApi({ user, server }) {
	/** @param {string} route */
	function address(route) {
		const query = new URLSearchParams();
		for (const [name, id] of Object.entries({ user: user(), server: server() })) if (id !== null) query.set(name, id);
		return `/playground/${route}?${query}`;
	}

	/**
	 * @param {string} route
	 * @param {RequestInit} request
	 * @returns {Promise<any>}
	 */
	async function ask(route, request) {
		const response = await fetch(address(route), request).catch((cause) => {
			throw new Error("The playground does not answer. Is it still running?", { cause });
		});
		/** @type {unknown} */
		const body = await response.json().catch(() => null);
		if (response.ok) return body;
		const message = body && typeof body === "object" && "message" in body ? body.message : null;
		throw new Error(typeof message === "string" ? message : `The playground refused this (${response.status}).`);
	}

	/**
	 * @param {string} route
	 * @param {object} body
	 * @param {AbortSignal} [signal]
	 */
	function post(route, body, signal) {
		const limit = AbortSignal.timeout(TIMEOUT_MS);
		return ask(route, {
			method: "POST",
			headers: { "content-type": "application/json" },
			body: JSON.stringify({ ...body, ...(user() === null ? {} : { user: user() }) }),
			signal: signal ? AbortSignal.any([signal, limit]) : limit,
		});
	}

	return {
		eventsAddress: () => address("events"),
		/**
		 * @param {AbortSignal} signal
		 * @returns {Promise<PageState>}
		 */
		state: (signal) =>
			ask("state", { signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]), cache: "no-store" }),
		/**
		 * @param {InvokeRequest} request
		 * @returns {Promise<InvokeAnswer>}
		 */
		invoke: (request) => post("interactions", request),
		/**
		 * @param {ContextRequest} request
		 * @returns {Promise<InvokeAnswer>}
		 */
		useMenu: (request) => post("context-commands", request),
		/**
		 * @param {PressRequest} request
		 * @returns {Promise<InvokeAnswer>}
		 */
		press: (request) => post("components", request),
		/**
		 * @param {SubmitRequest} request
		 * @returns {Promise<InvokeAnswer>}
		 */
		submit: (request) => post("modals", request),
		/**
		 * @param {AutocompleteRequest} request
		 * @param {AbortSignal} signal
		 * @returns {Promise<AutocompleteAnswer>}
		 */
		autocomplete: (request, signal) => post("autocomplete", request, signal),
		/** @param {boolean} isThere */
		setBot: (isThere) =>
			ask("bot", {
				method: "PUT",
				headers: { "content-type": "application/json" },
				body: JSON.stringify({ isThere }),
				signal: AbortSignal.timeout(TIMEOUT_MS),
			}),
		/**
		 * @param {File} file
		 * @returns {Promise<ApiAttachment>}
		 */
		upload(file) {
			const form = new FormData();
			form.append("file", file, file.name);
			return ask("uploads", { method: "POST", body: form, signal: AbortSignal.timeout(UPLOAD_TIMEOUT_MS) });
		},
	};
}
