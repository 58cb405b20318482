import { createCanvas, type Canvas } from "@napi-rs/canvas";
import { clamp } from "./noise.ts";
import { css } from "./palette.ts";
import { copyPixels, raster, type Pen, type Stage } from "./scene-canvas.ts";

/** Post-processes an image by its finish: a tint, bloom, grain, a darker border, or large pixels. */
export function createPostProcessor(stage: Stage): (canvas: Canvas) => void {
	const { width, height, parsed, random, palette } = stage;
	const { finish } = parsed;
	const grain = raster(192, 192, (_u, _v, setPixel) => {
		const value = Math.round(128 + (random.next() + random.next() - 1) * 96);
		setPixel([value, value, value], 1);
	});

	function bloom(canvas: Canvas, pen: Pen, strength: number): void {
		const small = createCanvas(Math.ceil(width / 8), Math.ceil(height / 8));
		const tiny = createCanvas(Math.ceil(width / 24), Math.ceil(height / 24));
		const smallPen = small.getContext("2d");
		smallPen.drawImage(canvas, 0, 0, small.width, small.height);
		// Squares the brightness, so that only bright areas glow.
		smallPen.globalCompositeOperation = "multiply";
		smallPen.drawImage(copyPixels(small).cropped, 0, 0);
		const { cropped } = copyPixels(small);
		tiny.getContext("2d").drawImage(cropped, 0, 0, tiny.width, tiny.height);
		pen.globalCompositeOperation = "screen";
		pen.imageSmoothingQuality = "high";
		pen.globalAlpha = strength;
		pen.drawImage(cropped, 0, 0, width, height);
		pen.drawImage(tiny, 0, 0, width, height);
		pen.globalAlpha = 1;
		pen.globalCompositeOperation = "source-over";
	}

	function addGrain(pen: Pen, alpha: number): void {
		// Grain would only cost bits in a video.
		if (stage.isVideo) return;
		const pattern = pen.createPattern(grain, "repeat");
		pen.globalCompositeOperation = "soft-light";
		pen.globalAlpha = alpha;
		pen.fillStyle = pattern;
		pen.fillRect(0, 0, width, height);
		pen.globalAlpha = 1;
		pen.globalCompositeOperation = "source-over";
	}

	function vignette(pen: Pen, alpha: number): void {
		const gradient = pen.createRadialGradient(
			width / 2,
			height * 0.48,
			Math.min(width, height) * 0.4,
			width / 2,
			height / 2,
			Math.hypot(width, height) * 0.56,
		);
		gradient.addColorStop(0, css(palette.shadow, 0));
		gradient.addColorStop(1, css(palette.shadow, alpha));
		pen.fillStyle = gradient;
		pen.fillRect(0, 0, width, height);
	}

	return (canvas) => {
		const pen = canvas.getContext("2d");
		pen.setTransform(1, 0, 0, 1, 0, 0);
		switch (finish) {
			case "pastel":
				tint(pen, "screen", "rgba(255,250,240,0.2)");
				return addGrain(pen, 0.42);
			case "neon":
				tint(pen, "multiply", "rgba(190,160,255,0.5)");
				bloom(canvas, pen, 0.62);
				return vignette(pen, 0.6);
			case "pixel":
				return pixelate(canvas, pen);
			case "natural":
				if (!stage.isVideo) bloom(canvas, pen, 0.3);
				vignette(pen, 0.34);
				return addGrain(pen, 0.2);
		}
	};

	function tint(pen: Pen, operation: Pen["globalCompositeOperation"], color: string): void {
		pen.globalCompositeOperation = operation;
		pen.fillStyle = color;
		pen.fillRect(0, 0, width, height);
		pen.globalCompositeOperation = "source-over";
	}

	function pixelate(canvas: Canvas, pen: Pen): void {
		const rows = 128;
		const columns = Math.round((rows * width) / height);
		const pixelCanvas = createCanvas(columns, rows);
		const pixelPen = pixelCanvas.getContext("2d");
		pixelPen.imageSmoothingQuality = "high";
		pixelPen.drawImage(canvas, 0, 0, columns, rows);
		const image = pixelPen.getImageData(0, 0, columns, rows);
		const { data } = image;
		// Ordered dithering: a Bayer matrix of 4 by 4 decides which pixels are rounded up to the next level.
		const bayer = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5];
		const levelStep = 18;
		for (let index = 0; index < data.length; index++) {
			if (index % 4 === 3) continue;
			const pixel = index >> 2;
			const threshold =
				((bayer[(Math.floor(pixel / columns) % 4) * 4 + ((pixel % columns) % 4)] ?? 0) / 16 - 0.5) * levelStep * 0.55;
			data[index] = clamp(Math.round(((data[index] ?? 0) + threshold) / levelStep) * levelStep * 1.06, 0, 255);
		}
		pixelPen.putImageData(image, 0, 0);
		pen.imageSmoothingEnabled = false;
		pen.drawImage(pixelCanvas, 0, 0, width, height);
		pen.imageSmoothingEnabled = true;
	}
}
