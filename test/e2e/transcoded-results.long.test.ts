/** Results that Discord would not display, or not accept, as a member sees them. */
import { filesOf, textOf } from "@atelier/playground/user-client/message-contents";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isFinalReply } from "../../src/discord/is-final-reply.ts";
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

/** Opens a bot whose service returns this file for every request, at a Discord that accepts only files of this size. */
async function openWithFile(media: Parameters<typeof encodeMedia>[1], bytesMax: number) {
	const path = join(await createTempFolder(), "made");
	encodeMedia(path, media);
	const service = await openMediaService();
	service.file = await readFile(path);
	const serviceEnv = { MEDIA_API_URL: service.url, MEDIA_API_KEY: "service-key" };
	const { atelier, userClient } = await openAtelier({ env: { ...serviceEnv, PUBLIC_URL: "https://bot.example.com" } });
	const accept = (max: number) => openAdminClient(atelier.origin).setFiles({ bytesMax: max, announcedBytesMax: max });
	await accept(bytesMax);
	/** Resolves to the original file, to which the text and `/job show` link. */
	async function linkedFile(text: string, id: string): Promise<Buffer> {
		const [, link = ""] = /Download the original before <t:\d+:f>: <https:\/\/bot\.example\.com(\S+)>/.exec(text) ?? [];
		expect(textOf(await finalReply(userClient.type("/job show", { id })))).toContain(link);
		const original = await fetch(`${atelier.origin}${link}`);
		expect(original.headers.get("content-disposition")).toContain("attachment");
		return Buffer.from(await original.arrayBuffer());
	}
	return { userClient, accept, linkedFile, original: service.file };
}

test("music that cannot fit is delivered as its beginning, with a link to the full file, in `/job` too", async () => {
	const audio = {
		source: "anoisesrc=d=60:c=pink:r=8000",
		filter: "aformat=sample_fmts=s16:channel_layouts=stereo",
		encoder: "pcm_s16le",
	};
	const { userClient, linkedFile, original } = await openWithFile({ format: "wav", audio }, 30 * KIB);
	const reply = await userClient.type("/music", { prompt: "a boat" });
	const message = await reply.until(isFinalReply, CONVERTED_WITHIN_MS);
	expect(filesOf(message)).toMatchObject([{ content_type: "audio/mp4" }]);
	expect(textOf(message)).toContain("5 credits");
	expect((await linkedFile(textOf(message), reply.interactionId)).equals(original)).toBe(true);
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
		const video = { source: "testsrc2=s=320x180:r=15:d=1", filter: "noise=alls=30:allf=t,format=yuv420p" };
		const encoded = { ...video, encoder: "libx264", options: { qp: "14" } };
		const { userClient, accept, linkedFile } = await openWithFile({ format: "mp4", video: encoded }, 60 * KIB);
		const stopKilling = killWorkers();
		const reply = await userClient.type("/video", { prompt: "a boat" });
		const content = textOf(await reply.until(isFinalReply, CONVERTED_WITHIN_MS));
		// The transcode, its retry with less memory, and the preview.
		expect(stopKilling()).toBeGreaterThanOrEqual(3);
		expect(content).toContain("Generated for 15 credits, but the file is too large to be converted here.");
		expect(content).toContain(reply.interactionId);
		expect((await linkedFile(content, reply.interactionId)).byteLength).toBeGreaterThan(60 * KIB);

		await accept(10_000 * KIB);
		const again = await userClient.type("/job get", { id: reply.interactionId });
		expect(filesOf(await again.until(isFinalReply, CONVERTED_WITHIN_MS))).toHaveLength(1);
	},
);
