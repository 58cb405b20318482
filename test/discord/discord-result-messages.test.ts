import { expect, test } from "vitest";
import { scaledImageUrl } from "../../src/discord/discord-result-messages.ts";

const url = "https://cdn.discordapp.com/attachments/1/2/boat.png?ex=a&is=b&hm=c";
const image = { url, content_type: "image/png", width: 2000, height: 1000 };

test("an image on Discord is scaled down by its media proxy, with the signature of its address", () => {
	expect(scaledImageUrl(image, 800)).toBe(
		"https://media.discordapp.net/attachments/1/2/boat.png?ex=a&is=b&hm=c&format=webp&width=800&height=400",
	);
	expect(scaledImageUrl({ ...image, width: 60, height: 40 }, 800)).toContain("width=60&height=40");
});

test.each([
	["an animation", { ...image, content_type: "image/gif" }],
	["a video", { ...image, content_type: "video/mp4" }],
	["an image of unknown size", { ...image, width: null }],
	["an image elsewhere", { ...image, url: "http://127.0.0.1:8080/attachments/1/2/boat.png" }],
])("%s keeps its own address", (_title, media) => {
	expect(scaledImageUrl(media, 800)).toBe(media.url);
});
