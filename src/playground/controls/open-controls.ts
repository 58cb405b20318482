/** The switches from a script: what the end-to-end tests break things with. */
import type { PageError } from "../page-contract.ts";
import type { PlantedFault } from "../rest/planted-faults.ts";
import type { ChannelAccess } from "../world/switches.ts";
import type { ControlsState } from "./controls-contract.ts";

export interface Controls {
	readonly state: () => Promise<ControlsState>;
	readonly reset: () => Promise<ControlsState>;
	readonly advanceClock: (advanceMs: number) => Promise<ControlsState>;
	readonly setFiles: (
		files: Pick<ControlsState["files"], "bytesMax"> & Partial<ControlsState["files"]>,
	) => Promise<ControlsState>;
	readonly setAccess: (channelId: string, access: Exclude<ChannelAccess, "gone">) => Promise<ControlsState>;
	readonly setMembership: (isMember: boolean) => Promise<ControlsState>;
	readonly setDirect: (userId: string, isOpen: boolean) => Promise<ControlsState>;
	readonly expire: (interactionId: string) => Promise<ControlsState>;
	readonly deleteMessage: (channelId: string, messageId: string) => Promise<ControlsState>;
	readonly deleteChannel: (channelId: string) => Promise<ControlsState>;
	readonly plant: (fault: PlantedFault) => Promise<ControlsState>;
	readonly clearFaults: () => Promise<ControlsState>;
}

export function openControls(origin: string): Controls {
	async function call(method: string, path = "", body?: object): Promise<ControlsState> {
		const response = await fetch(`${origin}/playground/controls${path}`, {
			method,
			...(body && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
		});
		const answer: unknown = await response.json();
		if (!response.ok) throw new Error((answer as PageError).message);
		return answer as ControlsState;
	}
	return {
		state: () => call("GET"),
		reset: () => call("DELETE"),
		advanceClock: (advanceMs) => call("POST", "/clock", { advanceMs }),
		setFiles: (files) => call("PUT", "/files", files),
		setAccess: (channelId, access) => call("PUT", "/access", { channelId, access }),
		setMembership: (isMember) => call("PUT", "/membership", { isMember }),
		setDirect: (userId, isOpen) => call("PUT", "/direct", { userId, isOpen }),
		expire: (interactionId) => call("POST", "/expire", { interactionId }),
		deleteMessage: (channelId, messageId) => call("DELETE", `/messages/${channelId}/${messageId}`),
		deleteChannel: (channelId) => call("DELETE", `/channels/${channelId}`),
		plant: (fault) => call("POST", "/faults", fault),
		clearFaults: () => call("DELETE", "/faults"),
	};
}
