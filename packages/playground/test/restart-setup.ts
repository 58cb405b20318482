import { createManualClock } from "@atelier/common/testing/manual-clock";
import { deferred, invoked, openPlayground, temporaryFolder } from "../testing/setup.ts";

/**
 * A bot that is thinking, in a playground with a folder; and the same folder opened anew. The first playground is left
 * as it is, not closed: what survives is what was on disk at that instant, as after `kill -9`.
 */
export async function openPlaygroundTwice() {
	const clock = createManualClock();
	const dataDir = await temporaryFolder();
	const scene = await deferred({ playground: await openPlayground({ clock, dataDir }) });
	return {
		before: { ...scene, invoked: scene.interaction },
		restart: async () => {
			const playground = await openPlayground({ clock, dataDir });
			return { playground, clock, invoked: invoked(playground.rest, scene.interaction.payload) };
		},
	};
}
