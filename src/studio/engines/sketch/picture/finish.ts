import { createRandom } from "../random.ts";
import type { Vision } from "../vision.ts";
import { css } from "./colour.ts";
import { sheet, type Layer, type Stage } from "./stage.ts";

const GRAIN_TILE = 256;

/** The last sheet: the tooth of the paper and darker corners, which bind the layers into one picture. */
export function finishLayer(vision: Vision, stage: Stage): Layer {
	const { width, height } = stage;
	const grain = sheet(GRAIN_TILE, GRAIN_TILE);
	const image = grain.pen.createImageData(GRAIN_TILE, GRAIN_TILE);
	const random = createRandom("paper", vision.seed);
	for (let at = 0; at < image.data.length; at += 4) {
		const tooth = random.next() + random.next() - 1;
		const shade = tooth > 0 ? 255 : 0;
		image.data[at] = shade;
		image.data[at + 1] = shade;
		image.data[at + 2] = shade;
		// Film gets less: noise is what a video encoder spends its bits on.
		image.data[at + 3] = Math.abs(tooth) * (stage.film ? 10 : 17);
	}
	grain.pen.putImageData(image, 0, 0);

	const overlay = sheet(width, height);
	const tile = Math.max(GRAIN_TILE, Math.round(stage.unit * 30));
	for (let y = 0; y < height; y += tile) {
		for (let x = 0; x < width; x += tile) overlay.pen.drawImage(grain.canvas, x, y, tile, tile);
	}
	const vignette = overlay.pen.createRadialGradient(0, 0, 0.55, 0, 0, 1.42);
	vignette.addColorStop(0, css(vision.palette.ink, 0));
	vignette.addColorStop(1, css(vision.palette.ink, 0.5));
	overlay.pen.save();
	overlay.pen.translate(width / 2, height / 2);
	overlay.pen.scale(width / 2, height / 2);
	overlay.pen.fillStyle = vignette;
	overlay.pen.fillRect(-1, -1, 2, 2);
	overlay.pen.restore();
	return (pen) => pen.drawImage(overlay.canvas, 0, 0);
}
