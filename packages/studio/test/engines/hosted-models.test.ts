/** fal and Replicate generate every media type, also from images. */
import { randomBytes } from "node:crypto";
import type { Store } from "@atelier/store/store";
import type { MediaType } from "@atelier/media-protocol/model";
import { describe, expect, test } from "vitest";
import { fakePng } from "../../testing/fake-engine.ts";
import type { FakeServer } from "../../testing/servers/fake-server.ts";
import { openFal } from "../../testing/servers/fal.ts";
import { mp4Head, wav } from "@atelier/common/testing/wav-and-mp4-head";
import { openReplicate } from "../../testing/servers/replicate.ts";
import { modelEntry, REQUEST, setupEngine } from "./engine-setup.ts";

interface HostedService {
	readonly server: FakeServer & {
		readonly jobs: readonly { readonly model: string; readonly input: Readonly<Record<string, unknown>> }[];
		readonly uploads?: readonly Buffer[];
		next: (job: never) => void;
	};
	readonly secret: string;
	/** Sets the output of the next requests, and its form in the response. */
	readonly respondWith: (file: Uint8Array, output: (url: string) => unknown) => void;
}

const SERVICES = {
	async fal(): Promise<HostedService> {
		const server = await openFal();
		return {
			server,
			secret: "fal-key",
			respondWith(file, output) {
				server.file = file;
				server.result = { json: output(`${server.url}/files/made`) };
			},
		};
	},
	async replicate(): Promise<HostedService> {
		const server = await openReplicate();
		return {
			server,
			secret: "r8_token",
			respondWith(file, output) {
				server.file = file;
				server.next = (prediction) =>
					Object.assign(prediction, { status: "succeeded", output: output(`${server.url}/delivery/made`) });
			},
		};
	},
} as const;

const VIDEO_AND_IMAGE_OPTIONS = { image_input: { type: "array" } };
const DURATION = { type: "integer", minimum: 1, maximum: 60, default: 5 };
const MODELS = {
	image: { options: VIDEO_AND_IMAGE_OPTIONS, fields: { image_input: "image_url" } },
	video: {
		options: { ...VIDEO_AND_IMAGE_OPTIONS, duration: DURATION },
		fields: { image_input: "image_url", duration: { field: "num_frames", times: 16 } },
	},
	music: {
		options: { duration: DURATION, lyrics: { type: "string", maxLength: 100 } },
		fields: { duration: { field: "music_length_ms", times: 1000 }, lyrics: "lyrics" },
	},
} as const satisfies Record<MediaType, object>;

/** The same model at both services, with one name per scene. */
async function open(
	kind: keyof typeof SERVICES,
	mediaType: MediaType,
	before?: { readonly service: HostedService; readonly store: Store },
) {
	const service = before?.service ?? (await SERVICES[kind]());
	const scenes = mediaType === "music" ? ["text-to-music"] : [`text-to-${mediaType}`, `image-to-${mediaType}`];
	const { options, fields } = MODELS[mediaType];
	const name = Object.fromEntries(scenes.map((scene) => [scene, `owner/${scene}`]));
	const model = modelEntry({ mediaType, scenes, options, modelSettings: { model: name, fields } });
	const { url } = service.server;
	const studio = await setupEngine({
		kind,
		url,
		secret: service.secret,
		model,
		...(before && { store: before.store, credits: 0 }),
	});
	const completeWith = (given: object = {}) => studio.completeTask({ ...REQUEST, mediaType, options: given });
	return { ...studio, service, completeWith };
}

const dataUri = (bytes: Uint8Array): string => `data:image/png;base64,${Buffer.from(bytes).toString("base64")}`;
const FROM_TEXT = {
	video: {
		options: { duration: 4 },
		sent: { num_frames: 64 },
		file: mp4Head(),
		output: { type: "video", contentType: "video/mp4" },
	},
	music: {
		options: { duration: 10, lyrics: "la" },
		sent: { music_length_ms: 10_000, lyrics: "la" },
		file: wav(2),
		output: { type: "audio", contentType: "audio/wav", durationSeconds: 2 },
	},
};
const CHARGED = { postedCredits: 96, heldCredits: 0 };

describe.each(["fal", "replicate"] as const)("%s", (kind) => {
	const isFal = kind === "fal";
	test.each([
		["video", "an address", (url: string) => (isFal ? { video: url } : url)],
		["video", "an object", (url: string) => (isFal ? { video: { url } } : { video: url })],
		["music", "an address", (url: string) => (isFal ? { audio: url } : url)],
		["music", "an object", (url: string) => (isFal ? { audio_file: { url } } : { audio: url })],
	] as const)("generates %s from text, returned as %s", async (mediaType, _how, responseOf) => {
		const { service, completeWith, readBalance } = await open(kind, mediaType);
		const { options, sent, file, output } = FROM_TEXT[mediaType];
		service.respondWith(file, responseOf);
		expect(await completeWith(options)).toMatchObject({ status: "success", outputs: [output] });
		const input = { prompt: REQUEST.prompt, ...sent };
		expect(service.server.jobs).toMatchObject([{ model: `owner/text-to-${mediaType}`, input }]);
		expect(await readBalance()).toMatchObject(CHARGED);
	});

	test.each(["image", "video"] as const)(
		"generates %s from an image, with that scene's own model",
		async (mediaType) => {
			const { service, completeWith, upload } = await open(kind, mediaType);
			const inputImage = fakePng("to start from");
			const file = mediaType === "image" ? fakePng("made") : mp4Head();
			service.respondWith(file, (url) => (isFal ? { [`${mediaType}s`]: [{ url }] } : [url]));
			const record = await completeWith({ image_input: [await upload(inputImage)] });
			expect(record).toMatchObject({ status: "success", scene: `image-to-${mediaType}` });
			const input = { prompt: REQUEST.prompt, image_url: dataUri(inputImage) };
			expect(service.server.jobs).toMatchObject([{ model: `owner/image-to-${mediaType}`, input }]);
		},
	);
});

test("a job continues after a restart although its input image is gone", async () => {
	const { service, submitTask, upload, advanceUntil, studio, store } = await open("fal", "image");
	const { server } = service;
	const { next } = server;
	server.next = () => {};
	const taskId = await submitTask({ ...REQUEST, options: { image_input: [await upload(fakePng())] } });
	await advanceUntil(() => server.requests.some(({ path }) => path.endsWith("/status")));
	await studio.stop();
	server.next = next;
	// Another folder for media.
	const after = await open("fal", "image", { service, store });
	expect(await after.advanceUntilEnded(taskId)).toMatchObject({ status: "success", attempt: 1 });
	expect(server.jobs).toHaveLength(1);
});

describe("Replicate with a large input image", () => {
	/** Above the limit of data URIs. */
	const LARGE = Buffer.concat([fakePng(), randomBytes(300 * 1024)]);

	async function openWithLargeImage() {
		const opened = await open("replicate", "image");
		const options = { image_input: [await opened.upload(LARGE)] };
		return { ...opened, completeLarge: () => opened.completeWith(options) };
	}

	test("receives one upload of the image, before the submit", async () => {
		const { service, completeLarge } = await openWithLargeImage();
		expect((await completeLarge()).status).toBe("success");
		expect(service.server.uploads?.map((upload) => upload.includes(LARGE))).toStrictEqual([true]);
		const image_url = expect.stringContaining(`${service.server.url}/files/`);
		expect(service.server.jobs[0]?.input).toMatchObject({ image_url });
	});

	test.each(["drop", "actThenDrop", { status: 500, json: {} }] as const)(
		"receives no submit if the upload ends with %j, and then another upload",
		async (fault) => {
			const { service, completeLarge, readBalance } = await openWithLargeImage();
			service.server.plan("POST", "/files", fault);
			expect(await completeLarge()).toMatchObject({ status: "success", attempt: 2 });
			expect(service.server.jobs).toHaveLength(1);
			expect(await readBalance()).toMatchObject(CHARGED);
		},
	);
});
