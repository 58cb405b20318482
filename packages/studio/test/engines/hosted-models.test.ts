/** fal and Replicate generate every media type, also from images. */
import { randomBytes } from "node:crypto";
import type { MediaType } from "@atelier/media-protocol/model";
import { describe, expect, test } from "vitest";
import { fakePng } from "../../testing/fake-engine.ts";
import type { FakeServer } from "../../testing/servers/fake-server.ts";
import { openFal } from "../../testing/servers/fal.ts";
import { mp4Head, wav } from "@atelier/common/testing/wav-and-mp4-head";
import { openReplicate } from "../../testing/servers/replicate.ts";
import { modelEntry, REQUEST, setupEngines } from "./engine-setup.ts";

interface ServiceRequest {
	/** The model in the request. */
	readonly model: string;
	readonly input: Readonly<Record<string, unknown>>;
}

interface HostedService {
	readonly server: FakeServer & { readonly jobs: readonly ServiceRequest[]; readonly uploads?: readonly Buffer[] };
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

/** The same model at both services, with one name per scene. */
async function open(kind: keyof typeof SERVICES, mediaType: MediaType, change: object = {}) {
	const service = await SERVICES[kind]();
	const scenes = mediaType === "music" ? ["text-to-music"] : [`text-to-${mediaType}`, `image-to-${mediaType}`];
	const options = {
		...(mediaType !== "image" && { duration: { type: "integer", minimum: 1, maximum: 60, default: 5 } }),
		...(mediaType === "music" && { lyrics: { type: "string", maxLength: 100 } }),
		...(mediaType !== "music" && { image_input: { type: "array" } }),
	};
	const fields = {
		...(mediaType === "music"
			? { duration: { field: "music_length_ms", times: 1000 }, lyrics: "lyrics" }
			: { image_input: "image_url" }),
		...(mediaType === "video" && { duration: { field: "num_frames", times: 16 } }),
	};
	const nameByScene = Object.fromEntries(scenes.map((scene) => [scene, `owner/${scene}`]));
	const engines = [{ engine: "far", model: nameByScene, fields }];
	const model = modelEntry({ mediaType, scenes, options, engines, ...change });
	const far = { kind, url: service.server.url, secret: { env: "SECRET" } };
	const studio = await setupEngines({ file: { engines: { far }, models: [model] }, env: { SECRET: service.secret } });
	const submitWith = (given: object = {}) => studio.submitTask({ ...REQUEST, mediaType, options: given });
	return { ...studio, service, submitWith };
}

const dataUri = (bytes: Uint8Array): string => `data:image/png;base64,${Buffer.from(bytes).toString("base64")}`;
const CHARGED = { postedCredits: 96, heldCredits: 0 };

describe.each(["fal", "replicate"] as const)("%s", (kind) => {
	test.each([
		["an address", (url: string) => (kind === "fal" ? { video: url } : url)],
		["an object", (url: string) => (kind === "fal" ? { video: { url } } : { video: url })],
	])("generates a video from text, returned as %s", async (_how, output) => {
		const { service, submitWith, advanceUntilEnded, readBalance } = await open(kind, "video");
		service.respondWith(mp4Head(), output);
		expect(await advanceUntilEnded(await submitWith({ duration: 4 }))).toMatchObject({
			status: "success",
			outputs: [{ type: "video", contentType: "video/mp4" }],
		});
		expect(service.server.jobs).toMatchObject([
			{ model: "owner/text-to-video", input: { prompt: REQUEST.prompt, num_frames: 64 } },
		]);
		expect(await readBalance()).toMatchObject(CHARGED);
	});

	test.each([
		["an address", (url: string) => (kind === "fal" ? { audio: url } : url)],
		["a file", (url: string) => (kind === "fal" ? { audio_file: { url } } : { audio: url })],
	])("generates music, returned as %s", async (_how, output) => {
		const { service, submitWith, advanceUntilEnded, readBalance } = await open(kind, "music");
		service.respondWith(wav(2), output);
		expect(await advanceUntilEnded(await submitWith({ duration: 10, lyrics: "la" }))).toMatchObject({
			status: "success",
			outputs: [{ type: "audio", contentType: "audio/wav", durationSeconds: 2 }],
		});
		expect(service.server.jobs).toMatchObject([
			{ model: "owner/text-to-music", input: { prompt: REQUEST.prompt, music_length_ms: 10_000, lyrics: "la" } },
		]);
		expect(await readBalance()).toMatchObject(CHARGED);
	});

	test.each(["image", "video"] as const)(
		"generates %s from an image, with that scene's own model",
		async (mediaType) => {
			const { service, submitWith, advanceUntilEnded, upload } = await open(kind, mediaType);
			const inputImage = fakePng("to start from");
			const [file, name] = mediaType === "image" ? [fakePng("made"), "images"] : [mp4Head(), "videos"];
			service.respondWith(file, (url) => (kind === "fal" ? { [name]: [{ url }] } : [url]));
			const record = await advanceUntilEnded(await submitWith({ image_input: [await upload(inputImage)] }));
			expect(record).toMatchObject({ status: "success", scene: `image-to-${mediaType}` });
			expect(service.server.jobs).toMatchObject([
				{ model: `owner/image-to-${mediaType}`, input: { prompt: REQUEST.prompt, image_url: dataUri(inputImage) } },
			]);
		},
	);
});

test("a mask has a field of its own, and several images are a list", async () => {
	const fields = { image_input: { field: "images", as: "list" }, mask_image: "mask" };
	const { service, submitWith, upload, advanceUntilEnded } = await open("replicate", "image", {
		options: { image_input: { type: "array", maxItems: 3 }, mask_image: { type: "array" } },
		engines: [{ engine: "far", model: "owner/name", fields }],
	});
	const [one, two, mask] = ["one", "two", "mask"].map((text) => fakePng(text)) as [Uint8Array, Uint8Array, Uint8Array];
	const image_input = [await upload(one), await upload(two)];
	const taskId = await submitWith({ image_input, mask_image: [await upload(mask)] });
	expect((await advanceUntilEnded(taskId)).status).toBe("success");
	expect(service.server.jobs[0]?.input).toMatchObject({
		images: [dataUri(one), dataUri(two)],
		mask: dataUri(mask),
	});
});

describe("Replicate with a large input image", () => {
	/** Above the limit of data URIs. */
	const LARGE = Buffer.concat([fakePng(), randomBytes(300 * 1024)]);

	async function openWithLargeImage() {
		const opened = await open("replicate", "image");
		const options = { image_input: [await opened.upload(LARGE)] };
		return { ...opened, submitLarge: () => opened.submitWith(options) };
	}

	test("receives one upload of the image, before the submit", async () => {
		const { service, submitLarge, advanceUntilEnded } = await openWithLargeImage();
		expect((await advanceUntilEnded(await submitLarge())).status).toBe("success");
		expect(service.server.uploads?.map((upload) => upload.includes(LARGE))).toStrictEqual([true]);
		const image_url = expect.stringContaining(`${service.server.url}/files/`);
		expect(service.server.jobs[0]?.input).toMatchObject({ image_url });
	});

	test.each(["drop", "actThenDrop", { status: 500, json: {} }] as const)(
		"receives no submit if the upload ends with %j, and then another upload",
		async (fault) => {
			const { service, submitLarge, advanceUntilEnded, readBalance } = await openWithLargeImage();
			service.server.plan("POST", "/files", fault);
			expect(await advanceUntilEnded(await submitLarge())).toMatchObject({ status: "success", attempt: 2 });
			expect(service.server.jobs).toHaveLength(1);
			expect(await readBalance()).toMatchObject(CHARGED);
		},
	);
});
