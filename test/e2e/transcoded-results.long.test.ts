/** Results that Discord would not display, or not accept, as a member sees them. */
import { filesOf, textOf } from "@atelier/playground/user-client/message-contents";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isFinalReply } from "../../src/discord/find-posted-reply.ts";
import { openAdminClient } from "@atelier/playground/admin/admin-client";
import { isErrno } from "@atelier/common/is-errno";
import { encodeMedia } from "@atelier/common/testing/encode-media";
import { childrenOf } from "@atelier/common/testing/processes";
import { createTempFolder } from "@atelier/common/testing/temp-folder";
import { openMediaService } from "@atelier/studio/testing/servers/media-service";
import { openAtelier } from "./start-atelier.ts";
import { finalReply } from "./replies.ts";

const KIB = 1024;
const KILL_EVERY_MS = 20;
/** The worker processes have the lowest priority: on busy cores, a conversion takes minutes. */
const CONVERTED_WITHIN_MS = 200_000;

/** The environment of a bot whose service returns the file at `path` for every request. */
async function serviceThatMakes(path: string) {
	const service = await openMediaService();
	service.file = await readFile(path);
	return { MEDIA_API_URL: service.url, MEDIA_API_KEY: "service-key" };
}

test("music that cannot fit is delivered as its beginning, with a link to the full file, in `/job` too", async () => {
	const path = join(await createTempFolder(), "made");
	encodeMedia(path, {
		format: "wav",
		audio: {
			source: "anoisesrc=d=60:c=pink:r=8000",
			filter: "aformat=sample_fmts=s16:channel_layouts=stereo",
			encoder: "pcm_s16le",
		},
	});
	const env = { ...(await serviceThatMakes(path)), PUBLIC_URL: "https://bot.example.com" };
	const { atelier, userClient } = await openAtelier({ env });
	await openAdminClient(atelier.origin).setFiles({ bytesMax: 30 * KIB, announcedBytesMax: 30 * KIB });

	const reply = await userClient.type("/music", { prompt: "a boat" });
	const message = await reply.until(isFinalReply, CONVERTED_WITHIN_MS);
	const [attachments, content] = [filesOf(message), textOf(message)];
	expect(attachments[0]).toMatchObject({ content_type: "audio/mp4" });
	expect(content).toContain("5 credits");
	const [, address = ""] =
		/Download the original before <t:\d+:f>: <https:\/\/bot\.example\.com(\S+)>/.exec(content) ?? [];
	const whole = await fetch(`${atelier.origin}${address}`);
	expect(whole.headers.get("content-disposition")).toContain("attachment");
	expect(Buffer.from(await whole.arrayBuffer()).equals(await readFile(path))).toBe(true);
	const shown = await finalReply(userClient.type("/job show", { id: reply.interactionId }));
	expect(textOf(shown)).toContain(address);
});

/** Kills each transcode worker of this process, as the kernel does without memory, until the returned function is called. */
function killWorkers(): () => number {
	let killed = 0;
	const kill = async (): Promise<void> => {
		for (const pid of childrenOf(process.pid)) {
			const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
			if (!command.includes("transcode/worker.ts")) continue;
			try {
				process.kill(pid, "SIGKILL");
				killed += 1;
			} catch (error) {
				// The worker ended meanwhile.
				if (!isErrno(error, "ESRCH")) throw error;
			}
		}
	};
	const timer = setInterval(() => void kill(), KILL_EVERY_MS);
	return () => {
		clearInterval(timer);
		return killed;
	};
}

test.runIf(process.platform === "linux")(
	"a video whose conversion the system kills is kept and linked, and is not called damaged",
	async () => {
		const path = join(await createTempFolder(), "made");
		const video = { source: "testsrc2=s=320x180:r=15:d=1", filter: "noise=alls=30:allf=t,format=yuv420p" };
		encodeMedia(path, { format: "mp4", video: { ...video, encoder: "libx264", options: { qp: "14" } } });
		const env = { ...(await serviceThatMakes(path)), PUBLIC_URL: "https://bot.example.com" };
		const { atelier, userClient } = await openAtelier({ env });
		await openAdminClient(atelier.origin).setFiles({ bytesMax: 60 * KIB, announcedBytesMax: 60 * KIB });
		const stopKilling = killWorkers();

		const reply = await userClient.type("/video", { prompt: "a boat" });
		const content = textOf(await reply.until(isFinalReply, CONVERTED_WITHIN_MS));
		// The transcode, its retry with less memory, and the preview.
		expect(stopKilling()).toBeGreaterThanOrEqual(3);
		expect(content).toContain("Generated for 15 credits, but the file is too large to be converted here.");
		expect(content).toContain(reply.interactionId);
		const address = /Download the original before <t:\d+:f>: <https:\/\/bot\.example\.com(\S+)>/.exec(content)?.[1];
		const original = await fetch(`${atelier.origin}${address}`);
		expect(original.status).toBe(200);
		expect((await original.arrayBuffer()).byteLength).toBeGreaterThan(60 * KIB);
		const shown = await (await userClient.type("/job show", { id: reply.interactionId })).until(isFinalReply);
		expect(textOf(shown)).toContain(address);

		await openAdminClient(atelier.origin).setFiles({ bytesMax: 10_000 * KIB, announcedBytesMax: 10_000 * KIB });
		const fetched = await (
			await userClient.type("/job get", { id: reply.interactionId })
		).until(isFinalReply, CONVERTED_WITHIN_MS);
		expect(filesOf(fetched)).toHaveLength(1);
	},
);
