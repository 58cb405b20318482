/** Draws the contact sheet of the docs. Run: node tools/node24.mjs packages/sketch/scripts/contact-sheet.ts */
import { writeFile } from "node:fs/promises";
import { createCanvas, loadImage } from "@napi-rs/canvas";
import sharp from "sharp";
import { createSketch } from "../src/index.ts";

const PROMPTS: readonly (readonly [prompt: string, seed: number])[] = [
	["a lighthouse in a storm", 7],
	["a red boat at sunset", 3],
	["a city at night", 1],
	["mountains and a forest at dawn", 2],
	["a castle in the snow by a lake", 4],
	["a ringed planet and a rocket", 1],
	["a cat in a meadow", 5],
	["a house and a tree in autumn", 2],
	["blue and gold swirls at night", 4],
	["a lighthouse, pastel", 2],
	["neon tokyo in the rain", 3],
	["a dog in the park, pixel art", 2],
];
const COLUMNS = 3;
const TILE = { width: 480, height: 270 };
const GAP = 8;

const sketch = createSketch();
const rows = Math.ceil(PROMPTS.length / COLUMNS);
const sheet = createCanvas(COLUMNS * (TILE.width + GAP) + GAP, rows * (TILE.height + GAP) + GAP);
const pen = sheet.getContext("2d");
pen.fillStyle = "#16161c";
pen.fillRect(0, 0, sheet.width, sheet.height);
await Promise.all(
	PROMPTS.map(async ([prompt, seed], nth) => {
		const { bytes } = await sketch.render({ kind: "image", prompt, seed, width: 1280, height: 720 });
		const image = await loadImage(Buffer.from(bytes));
		const x = GAP + (nth % COLUMNS) * (TILE.width + GAP);
		const y = GAP + Math.floor(nth / COLUMNS) * (TILE.height + GAP);
		pen.imageSmoothingQuality = "high";
		pen.drawImage(image, x, y, TILE.width, TILE.height);
		pen.font = "600 16px sans-serif";
		pen.shadowColor = "rgba(0,0,0,0.9)";
		pen.shadowBlur = 6;
		pen.fillStyle = "white";
		pen.fillText(prompt, x + 14, y + TILE.height - 16);
		pen.shadowBlur = 0;
	}),
);
const png = await sharp(await sheet.encode("png"))
	.png({ palette: true, quality: 90 })
	.toBuffer();
await writeFile(new URL("../../../docs/images/sketch.png", import.meta.url), png);
await sketch.close();
