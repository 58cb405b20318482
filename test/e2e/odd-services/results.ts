/** Unusual places and contents of results. */
import { done, fileAt, success, type OddService } from "./odd-service.ts";

const wrongMedium = { level: "warn", text: "output of the wrong medium" } as const;

const FILES = { "/image": "a.png", "/video": "a.mp4", "/music": "a.wav" } as const;
const TYPES = { "/image": "image/png", "/video": "video/mp4", "/music": "audio/wav" } as const;
type Command = keyof typeof FILES;

/** A result that stands where `place` puts it, beside a cover: `file` is the result, `cover` an image. */
function shape(title: string, command: Command, place: (file: string, cover: string) => object): OddService {
	return {
		title: `puts its result in ${title}`,
		command,
		poll: ({ origin }) => done(place(fileAt(origin, FILES[command]), fileAt(origin, "cover.png"))),
		member: "4 credits · 496 left",
		attachments: [TYPES[command]],
		chargedCredits: 4,
		submits: 1,
		polls: 1,
		downloads: 1,
	};
}

const shapes: readonly OddService[] = [
	shape("image_url of the record", "/image", (file) => ({ image_url: file })),
	shape("output_url of a result", "/image", (file) => ({ result: { output_url: file } })),
	shape("resultImages", "/image", (file) => ({ resultImages: [file] })),
	shape("an address without a protocol", "/image", (file) => ({ url: file.replace(/^http:/, "") })),
	shape("videoUrl, with a poster in image_url", "/video", (file, cover) => ({ image_url: cover, videoUrl: file })),
	shape("clips that have thumbnails", "/video", (file, cover) => ({ clips: [{ thumbnail: cover, video_url: file }] })),
	shape("tracks that have covers", "/music", (file, cover) => ({ tracks: [{ image_url: cover, audio_url: file }] })),
	shape("audioUrl of a result, with a page in url", "/music", (file, cover) => ({
		url: cover,
		result: { audioUrl: file },
	})),
];

export const results: readonly OddService[] = [
	...shapes,
	{
		title: "puts its result in a list of outputs",
		command: "/image",
		poll: ({ origin }) => done({ outputs: [{ url: fileAt(origin, "a.png") }] }),
		member: "4 credits · 496 left",
		attachments: ["image/png"],
		chargedCredits: 4,
		submits: 1,
		downloads: 1,
	},
	{
		title: "is done, and shows no file",
		command: "/image",
		poll: () => done({}),
		member: "there is no file",
		chargedCredits: 0,
		submits: 1,
		polls: 2,
		downloads: 0,
	},
	{
		title: "has only a cover beside an empty audioUrl",
		command: "/music",
		poll: ({ origin }) => done({ songs: [{ audioUrl: "", imageUrl: fileAt(origin, "cover.png") }] }),
		member: "there is no file",
		chargedCredits: 0,
		polls: 2,
		downloads: 0,
		log: [{ level: "warn", text: "{status: text, songs: [1 {audioUrl: empty text, imageUrl: address}]}" }],
	},
	{
		title: "has one of two songs, and both covers",
		command: "/music",
		poll: ({ origin }) =>
			done({
				songs: [
					{ audioUrl: fileAt(origin, "a.wav"), imageUrl: fileAt(origin, "cover.png") },
					{ audioUrl: null, imageUrl: fileAt(origin, "other.png") },
				],
			}),
		member: "4 credits · 496 left",
		attachments: ["audio/wav"],
		chargedCredits: 4,
		downloads: 1,
	},
	{
		title: "is done, with its file in an unknown field",
		command: "/image",
		poll: ({ origin }) => done({ deliverable: { link: fileAt(origin, "a.png") }, note: "a boat" }),
		member: "there is no file",
		chargedCredits: 0,
		log: [{ level: "warn", text: "{status: text, deliverable: {link: address}, note: text}" }],
	},
	{
		title: "says 2 for a success",
		command: "/image",
		poll: ({ origin }) => done({ status: 2, outputs: [fileAt(origin, "a.png")] }),
		member: "4 credits · 496 left",
		attachments: ["image/png"],
		chargedCredits: 4,
		polls: 1,
	},
	{
		title: "shows a preview while a number says that it is at work",
		command: "/image",
		poll: ({ origin, count }) => {
			const progress = count < 4 ? 25 * count : 100;
			return done({ status: count < 4 ? "1" : "2", progress, outputs: [fileAt(origin, `${count}.png`)] });
		},
		member: "4 credits · 496 left",
		attachments: ["image/png"],
		chargedCredits: 4,
		polls: 4,
		downloads: 1,
		log: [{ level: "warn", text: "unknown state of a task" }],
	},
	{
		title: "gives two tasks one id",
		command: "/image",
		times: 2,
		submit: () => success({ taskId: "always-the-same" }),
		member: ["4 credits · 496 left", "Nothing was charged."],
		chargedCredits: 4,
		submits: 2,
		polls: 1,
		downloads: 1,
		log: [{ level: "error", text: "the service gave this task the id of another" }],
	},
	{
		title: "gives one task the id that it had before its answer was lost",
		command: "/image",
		profile: "studio",
		submit: ({ count }) => (count === 1 ? "drop" : success({ taskId: "task-1" })),
		member: "4 credits · 496 left",
		attachments: ["image/png"],
		chargedCredits: 4,
		submits: 2,
		log: [{ text: "the id of another", times: 0 }],
	},
	{
		title: "counts its tasks in nineteen digits",
		command: "/image",
		submit: () => ({ text: '{"code":0,"data":{"taskId":1743286599112843265}}' }),
		poll: ({ origin, taskId }) =>
			taskId === "1743286599112843265"
				? done({ outputs: [fileAt(origin, "a.png")] })
				: success({ status: "failed", error: `no task ${taskId}` }),
		member: "4 credits · 496 left",
		attachments: ["image/png"],
		chargedCredits: 4,
	},
	{
		title: "answers a still image to a request for a video",
		command: "/video",
		poll: ({ origin }) => done({ outputs: [{ url: fileAt(origin, "a.png") }] }),
		member: "made something other than a video",
		chargedCredits: 0,
		downloads: 1,
		log: [wrongMedium, { text: '"contentType":"image/png"' }],
	},
	{
		title: "answers a GIF of one frame to a request for a video",
		command: "/video",
		poll: ({ origin }) => done({ outputs: [{ url: fileAt(origin, "a.still") }] }),
		member: "made something other than a video",
		chargedCredits: 0,
		log: [wrongMedium],
	},
	{
		title: "answers a GIF that moves to a request for a video",
		command: "/video",
		poll: ({ origin }) => done({ outputs: [{ url: fileAt(origin, "a.gif") }] }),
		member: "4 credits · 496 left",
		attachments: ["image/gif"],
		chargedCredits: 4,
		log: [{ ...wrongMedium, times: 0 }],
	},
	{
		title: "answers an MP4 without images to a request for a video",
		command: "/video",
		poll: ({ origin }) => done({ outputs: [{ url: fileAt(origin, "a.m4a") }] }),
		member: "made something other than a video",
		chargedCredits: 0,
		log: [wrongMedium],
	},
	{
		title: "answers an MP4 without images to a request for music",
		command: "/music",
		poll: ({ origin }) => done({ outputs: [{ url: fileAt(origin, "a.m4a") }] }),
		member: "4 credits · 496 left",
		attachments: ["audio/mp4"],
		chargedCredits: 4,
	},
	{
		title: "answers a Matroska file without images to a request for music",
		command: "/music",
		poll: ({ origin }) => done({ outputs: [{ url: fileAt(origin, "a.mka") }] }),
		member: "4 credits · 496 left",
		attachments: ["audio/mp4"],
		chargedCredits: 4,
	},
	{
		title: "answers a Matroska file with images to a request for music",
		command: "/music",
		poll: ({ origin }) => done({ outputs: [{ url: fileAt(origin, "a.mkv") }] }),
		member: "made something other than music",
		chargedCredits: 0,
		log: [wrongMedium],
	},
	{
		title: "answers a sound to a request for an image",
		command: "/image",
		poll: ({ origin }) => done({ outputs: [{ url: fileAt(origin, "a.wav") }] }),
		member: "made something other than an image",
		chargedCredits: 0,
		log: [wrongMedium],
	},
	{
		title: "answers a video to a request for an image",
		command: "/image",
		poll: ({ origin }) => done({ outputs: [{ url: fileAt(origin, "a.mp4") }] }),
		member: "made something other than an image",
		chargedCredits: 0,
		log: [wrongMedium],
	},
	{
		title: "lists two songs with a cover each, the covers first",
		command: "/music",
		poll: ({ origin }) => done({ outputs: ["a.png", "a.wav", "b.png", "b.wav"].map((name) => fileAt(origin, name)) }),
		member: "4 credits · 496 left",
		attachments: ["audio/wav", "audio/wav"],
		chargedCredits: 4,
		log: [{ ...wrongMedium, times: 2 }],
	},
];
