/** Results of media services in unusual forms, and results that the bot rejects. */
import { fakePng } from "@atelier/studio/testing/fake-engine";
import { NOT_CHARGED, delivered, type UnusualService, testServices } from "./check-unusual-service.ts";
import { done, fileAt, success, type Behavior } from "./unusual-service.ts";

const FORBIDDEN_ADDRESS_TEXT = "at an address that this bot isn't allowed to download from";

/** A service whose finished task contains these fields. */
function resultIn(
	title: string,
	command: UnusualService["command"],
	fields: (url: (name: string) => string) => object,
	contentType: string,
): UnusualService {
	const poll: Behavior = ({ origin }) => done(fields((name) => fileAt(origin, name)));
	return { title, command, poll, ...delivered(contentType), polls: 1, downloads: 1 };
}

/** A service whose result is a file of the wrong media type. */
function wrongType(title: string, command: UnusualService["command"], name: string): UnusualService {
	const expected = { "/image": "an image", "/video": "a video", "/music": "a song" }[command];
	return {
		title: `returns ${title} for ${command}`,
		command,
		poll: ({ origin }) => done({ outputs: [{ url: fileAt(origin, name) }] }),
		...NOT_CHARGED,
		finalText: `didn't return ${expected}`,
		log: [{ level: "warn", text: "output of the wrong media type" }],
	};
}

/** A service that redirects downloads to an address from which the bot may not download. */
function forbiddenFile(title: string, location: string): UnusualService {
	return {
		title,
		command: "/image",
		file: () => ({ status: 302, headers: { location } }),
		...NOT_CHARGED,
		finalText: FORBIDDEN_ADDRESS_TEXT,
	};
}

testServices([
	resultIn("returns an animated GIF for /video", "/video", (url) => ({ outputs: [url("a.gif")] }), "image/gif"),
	resultIn("returns an MP4 without video for /music", "/music", (url) => ({ outputs: [url("a.m4a")] }), "audio/mp4"),
	resultIn(
		"returns a Matroska file without video for /music",
		"/music",
		(url) => ({ outputs: [url("a.mka")] }),
		"audio/mp4",
	),
	wrongType("an image", "/video", "a.png"),
	wrongType("a GIF of one frame", "/video", "a.still"),
	wrongType("an MP4 without video", "/video", "a.m4a"),
	wrongType("a Matroska file with video", "/music", "a.mkv"),
	wrongType("audio", "/image", "a.wav"),
	wrongType("a video", "/image", "a.mp4"),
	{
		title: "returns the file in the response itself",
		command: "/image",
		poll: () => done({ outputs: [{ url: `data:image/png;base64,${Buffer.from(fakePng()).toString("base64")}` }] }),
		...delivered("image/png"),
		downloads: 0,
	},
	{
		title: "returns a success without a file",
		command: "/image",
		poll: () => done({}),
		...NOT_CHARGED,
		finalText: "didn't return a file",
		// Without a file the bot polls once more.
		polls: 2,
		downloads: 0,
	},
	{
		title: "assigns task ids of nineteen digits",
		command: "/image",
		submit: () => ({ text: '{"code":0,"data":{"taskId":1743286599112843265}}' }),
		poll: ({ origin, taskId }) =>
			taskId === "1743286599112843265"
				? done({ outputs: [fileAt(origin, "a.png")] })
				: success({ status: "failed", error: `no task ${taskId}` }),
		...delivered("image/png"),
	},
	{
		title: "returns HTML as an image",
		command: "/image",
		file: () => ({ headers: { "content-type": "image/png" }, text: "<html>" }),
		...NOT_CHARGED,
		finalText: "Discord can't show this type of file.",
	},
	{
		title: "returns a file above the download limit",
		command: "/image",
		file: () => ({ headers: { "content-length": String(300 * 1024 * 1024) }, bytes: Buffer.alloc(1024) }),
		...NOT_CHARGED,
		finalText: "The generated file is larger than 256 MiB, this bot's limit.",
		downloads: 1,
	},
	forbiddenFile("redirects a download to a private address", "http://10.0.0.1/1.png"),
	forbiddenFile("redirects a download to the metadata address of a cloud", "http://169.254.169.254/latest/meta-data/"),
]);
