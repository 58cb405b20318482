import { createManualClock } from "@atelier/common/testing/manual-clock";
import { deferred, invoked, openGround, temporaryFolder } from "../testing/setup.ts";

/**
 * A bot that is thinking, in a playground with a folder; and the same folder opened anew. The first playground is left
 * as it is, not closed: what survives is what was on disk at that instant, as after `kill -9`.
 */
export async function openPlaygroundTwice() {
	const clock = createManualClock();
	const dataDir = await temporaryFolder();
	const scene = await deferred({ ground: await openGround({ clock, dataDir }) });
	return {
		before: { ...scene, invoked: scene.interaction },
		restart: async () => {
			const ground = await openGround({ clock, dataDir });
			return { ground, clock, invoked: invoked(ground.rest, scene.interaction.payload) };
		},
	};
}
