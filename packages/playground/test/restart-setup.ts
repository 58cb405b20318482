import { createManualClock } from "@atelier/common/testing/manual-clock";
import { deferred, invoked, openPlayground, temporaryFolder } from "../testing/setup.ts";

/**
 * A bot with a deferred reply in a playground with a folder, and a second playground on the same folder. The first
 * one is not closed: only what was on the disk at that moment survives, as after `kill -9`.
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
