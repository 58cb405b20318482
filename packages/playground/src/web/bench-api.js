/**
 * The switches' requests, and nothing else: the routes of `controls-contract.ts`.
 *
 * @import { ControlsState, RequestsSeen } from "../admin/admin-contract.ts"
 */

const TIMEOUT_MS = 10_000;

/**
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 * @returns {Promise<any>}
 */
async function ask(method, path, body) {
	const response = await fetch(`/playground/controls${path}`, {
		method,
		cache: "no-store",
		signal: AbortSignal.timeout(TIMEOUT_MS),
		...(body && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
	});
	/** @type {unknown} */
	const answer = await response.json().catch(() => null);
	if (response.ok) return answer;
	const message = answer && typeof answer === "object" && "message" in answer ? answer.message : null;
	throw new Error(typeof message === "string" ? message : `The playground refused this (${response.status}).`);
}

/** @param {string} serverId */
const about = (serverId) => `?server=${encodeURIComponent(serverId)}`;

/**
 * @param {string} serverId
 * @returns {Promise<ControlsState>}
 */
export const readControls = (serverId) => ask("GET", about(serverId));

/**
 * @param {string} serverId
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 * @returns {Promise<ControlsState>}
 */
export const changeControls = (serverId, method, path, body) => ask(method, `${path}${about(serverId)}`, body);

/** @returns {Promise<{ readonly routes: readonly string[] }>} */
export const readRoutes = () => ask("GET", "/routes");

/**
 * @param {number} after
 * @returns {Promise<RequestsSeen>}
 */
export const readRequests = (after) => ask("GET", `/requests?after=${after}`);
