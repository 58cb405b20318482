import type { WorkerTask } from "../../src/worker.ts";

/** Ends its thread for the prompt "crash", and responds to others at once. */
export default function work({ request, port }: WorkerTask): unknown {
	port.close();
	if ("prompt" in request && request.prompt === "crash") process.exit(1);
	return { file: { bytes: new Uint8Array([7]), contentType: "image/png", width: 1, height: 1, seconds: null } };
}
