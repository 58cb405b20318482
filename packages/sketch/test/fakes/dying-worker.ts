import type { WorkerTask } from "../../src/worker.ts";

/** Ends its thread for the prompt "die", and responds at once to any other. */
export default function work({ request, port }: WorkerTask): unknown {
	port.close();
	if ("prompt" in request && request.prompt === "die") process.exit(1);
	return { file: { bytes: new Uint8Array([7]), contentType: "image/png", width: 1, height: 1, seconds: null } };
}
