/** fal and Replicate generate every media type, also from images. */
import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { fakePng } from "../../testing/fake-engine.ts";
import { openFal } from "../../testing/servers/fal.ts";
import { mp4Head, wav } from "@atelier/common/testing/sample-media-bytes";
import { openReplicate } from "../../testing/servers/replicate.ts";
import { setupEngines } from "./engine-setup.ts";

type MediaType = "image" | "video" | "music";

interface ServiceRequest {
	/** The model in the request. */
	readonly model: string;
	readonly input: Readonly<Record<string, unknown>>;
}

interface HostedService {
	readonly url: string;
	readonly secret: string;
	readonly requests: () => readonly ServiceRequest[];
	/** The output of the next requests, and its form in the response. */
	readonly returns: (file: Uint8Array, output: (url: string) => unknown) => void;
}

const SERVICES = {
	async fal(): Promise<HostedService> {
		const server = await openFal();
		return {
			url: server.url,
			secret: "fal-key",
			requests: () => server.queued.map(({ endpoint, input }) => ({ model: endpoint, input })),
			returns(file, output) {
				server.file = file;
				server.result = { json: output(`${server.url}/files/made`) };
			},
		};
	},
	async replicate(): Promise<HostedService> {
		const server = await openReplicate();
		return {
			url: server.url,
			secret: "r8_token",
			requests: () => server.predictions,
			returns(file, output) {
				server.file = file;
				server.next = (prediction) =>
					Object.assign(prediction, { status: "succeeded", output: output(`${server.url}/delivery/made`) });
			},
		};
	},
} as const;

/** The same model at both services, with one name per scene. */
async function open(kind: keyof typeof SERVICES, mediaType: MediaType) {
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
	const named = Object.fromEntries(scenes.map((scene) => [scene, `owner/${scene}`]));
	const model = {
		id: "m",
		name: "M",
		mediaType,
		scenes,
		options,
		price: { credits: 7 },
		typicalSeconds: 10,
		engines: [{ engine: "far", model: named, fields }],
	};
	const far = { kind, url: service.url, secret: { env: "SECRET" } };
	const file = { engines: { far }, models: [model] };
	const studio = await setupEngines({ file, env: { SECRET: service.secret } });
	const request = (more: object = {}) => studio.submitted({ mediaType, model: "m", prompt: "waves", ...more });

	return { ...studio, service, request };
}

const dataUri = (bytes: Uint8Array): string => `data:image/png;base64,${Buffer.from(bytes).toString("base64")}`;
const CHARGED = { postedCredits: 93, heldCredits: 0 };

describe.each(["fal", "replicate"] as const)("%s", (kind) => {
	test.each([
		["an address", (url: string) => (kind === "fal" ? { video: url } : url)],
		["an object", (url: string) => (kind === "fal" ? { video: { url } } : { video: url })],
		["a list", (url: string) => (kind === "fal" ? { videos: [{ url }] } : [url])],
	])("generates a video from text, returned as %s", async (_how, output) => {
		const { service, request, untilEnded, balance } = await open(kind, "video");
		service.returns(mp4Head(), output);
		expect(await untilEnded(await request({ options: { duration: 4 } }))).toMatchObject({
			status: "success",
			outputs: [{ type: "video", contentType: "video/mp4" }],
		});
		expect(service.requests()).toMatchObject([
			{ model: "owner/text-to-video", input: { prompt: "waves", num_frames: 64 } },
		]);
		expect(await balance()).toMatchObject(CHARGED);
	});

	test.each([
		["an address", (url: string) => (kind === "fal" ? { audio: url } : url)],
		["a file", (url: string) => (kind === "fal" ? { audio_file: { url } } : { audio: url })],
	])("generates music, returned as %s", async (_how, output) => {
		const { service, request, untilEnded, balance } = await open(kind, "music");
		service.returns(wav(2), output);
		expect(await untilEnded(await request({ options: { duration: 10, lyrics: "la" } }))).toMatchObject({
			status: "success",
			outputs: [{ type: "audio", contentType: "audio/wav", durationSeconds: 2 }],
		});
		expect(service.requests()).toMatchObject([
			{ model: "owner/text-to-music", input: { prompt: "waves", music_length_ms: 10_000, lyrics: "la" } },
		]);
		expect(await balance()).toMatchObject(CHARGED);
	});

	test.each(["image", "video"] as const)(
		"generates %s from an image, with that scene's own model",
		async (mediaType) => {
			const { service, request, untilEnded, upload } = await open(kind, mediaType);
			const inputImage = fakePng("to start from");
			const [file, name] = mediaType === "image" ? [fakePng("made"), "images"] : [mp4Head(), "videos"];
			service.returns(file, (url) => (kind === "fal" ? { [name]: [{ url }] } : [url]));
			const record = await untilEnded(await request({ options: { image_input: [await upload(inputImage)] } }));
			expect(record).toMatchObject({ status: "success", scene: `image-to-${mediaType}` });
			expect(service.requests()).toMatchObject([
				{ model: `owner/image-to-${mediaType}`, input: { prompt: "waves", image_url: dataUri(inputImage) } },
			]);
		},
	);

	test("that returns an image instead of the video has no output, and is free", async () => {
		const { service, request, untilEnded, balance } = await open(kind, "video");
		service.returns(fakePng("a still"), (url) => (kind === "fal" ? { video: { url } } : url));
		expect(await untilEnded(await request())).toMatchObject({ status: "failed", error: { code: "no_output" } });
		expect(await balance()).toMatchObject({ postedCredits: 100, heldCredits: 0 });
	});
});

const LARGE = Buffer.concat([fakePng(), randomBytes(300 * 1024)]);

async function openWithLargeImage() {
	const server = await openReplicate();
	const model = {
		id: "m",
		name: "M",
		mediaType: "image",
		scenes: ["image-to-image"],
		options: { image_input: { type: "array" } },
		price: { credits: 7 },
		typicalSeconds: 10,
		engines: [{ engine: "far", model: "owner/name", fields: { image_input: "image" } }],
	};
	const far = { kind: "replicate", url: server.url, secret: { env: "SECRET" } };
	const studio = await setupEngines({ file: { engines: { far }, models: [model] }, env: { SECRET: "r8_token" } });
	const options = { image_input: [await studio.upload(LARGE)] };
	const request = () => studio.submitted({ mediaType: "image", model: "m", prompt: "waves", options });
	return { ...studio, server, request };
}

const uri = (text: string): string => `data:image/png;base64,${Buffer.from(fakePng(text)).toString("base64")}`;

test("a mask has a field of its own, and several images are a list", async () => {
	const server = await openReplicate();
	const model = {
		id: "m",
		name: "M",
		mediaType: "image",
		scenes: ["image-to-image"],
		options: { image_input: { type: "array", maxItems: 3 }, mask_image: { type: "array" } },
		price: { credits: 7 },
		typicalSeconds: 10,
		engines: [
			{
				engine: "far",
				model: "owner/name",
				fields: { image_input: { field: "images", as: "list" }, mask_image: "mask" },
			},
		],
	};
	const far = { kind: "replicate", url: server.url, secret: { env: "SECRET" } };
	const studio = await setupEngines({ file: { engines: { far }, models: [model] }, env: { SECRET: "r8_token" } });
	const [one, two, mask] = await Promise.all(["one", "two", "mask"].map((text) => studio.upload(fakePng(text))));
	const options = { image_input: [one, two], mask_image: [mask] };
	const taskId = await studio.submitted({ mediaType: "image", model: "m", prompt: "waves", options });
	expect((await studio.untilEnded(taskId))["status"]).toBe("success");
	expect(server.predictions[0]?.input).toMatchObject({ images: [uri("one"), uri("two")], mask: uri("mask") });
});

describe("Replicate with a large input image", () => {
	test("uploads it once, before the submit", async () => {
		const { server, request, untilEnded } = await openWithLargeImage();
		expect((await untilEnded(await request()))["status"]).toBe("success");
		expect(server.uploads).toHaveLength(1);
		expect(server.uploads[0]?.includes(LARGE)).toBe(true);
		expect(server.predictions[0]?.input).toMatchObject({ image: expect.stringContaining(`${server.url}/files/`) });
	});

	test.each(["drop", "actThenDrop", { status: 500, json: {} }] as const)(
		"and submits nothing if the upload ends with %j, and retries",
		async (fault) => {
			const { server, request, untilEnded, balance } = await openWithLargeImage();
			server.plan("POST", "/files", fault);
			expect(await untilEnded(await request())).toMatchObject({ status: "success", attempt: 2 });
			expect(server.predictions).toHaveLength(1);
			expect(await balance()).toMatchObject(CHARGED);
		},
	);
});
