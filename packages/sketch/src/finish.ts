import { createCanvas, type Canvas } from "@napi-rs/canvas";
import { clamp } from "./noise.ts";
import { css } from "./palette.ts";
import { flattened, raster, type Pen, type Stage } from "./stage.ts";

/** The last hand on a picture: bloom, the manner of painting, grain and a darker border. */
export function createFinish(stage: Stage): (canvas: Canvas) => void {
	const { width, height, unit, reading, random, palette } = stage;
	const { finish } = reading;
	const grain = raster(192, 192, (_u, _v, put) => {
		const value = Math.round(128 + (random.next() + random.next() - 1) * 96);
		put([value, value, value], 1);
	});

	function bloom(canvas: Canvas, pen: Pen, strength: number): void {
		const small = createCanvas(Math.ceil(width / 8), Math.ceil(height / 8));
		const tiny = createCanvas(Math.ceil(width / 24), Math.ceil(height / 24));
		const half = small.getContext("2d");
		half.drawImage(canvas, 0, 0, small.width, small.height);
		// Only what is bright shines.
		half.globalCompositeOperation = "multiply";
		half.drawImage(flattened(small).plane, 0, 0);
		const { plane } = flattened(small);
		tiny.getContext("2d").drawImage(plane, 0, 0, tiny.width, tiny.height);
		pen.globalCompositeOperation = "screen";
		pen.imageSmoothingQuality = "high";
		pen.globalAlpha = strength;
		pen.drawImage(plane, 0, 0, width, height);
		pen.drawImage(tiny, 0, 0, width, height);
		pen.globalAlpha = 1;
		pen.globalCompositeOperation = "source-over";
	}

	function overlay(pen: Pen, alpha: number): void {
		// In a film the encoder would only spend its bits on it.
		if (stage.isFilm) return;
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

	const wash = finish === "watercolor" ? displacement(stage) : undefined;

	return (canvas) => {
		const pen = canvas.getContext("2d");
		pen.setTransform(1, 0, 0, 1, 0, 0);
		wash?.(pen);
		switch (finish) {
			case "watercolor":
				tint(pen, "screen", "rgba(255,250,240,0.2)");
				paper(pen);
				return overlay(pen, 0.42);
			case "ink":
				return ink(pen);
			case "neon":
				tint(pen, "multiply", "rgba(190,160,255,0.5)");
				bloom(canvas, pen, 0.62);
				return vignette(pen, 0.6);
			case "pixel":
				return pixelate(canvas, pen);
			case "natural":
				if (!stage.isFilm) bloom(canvas, pen, 0.3);
				vignette(pen, 0.34);
				return overlay(pen, 0.2);
		}
	};

	function tint(pen: Pen, operation: Pen["globalCompositeOperation"], color: string): void {
		pen.globalCompositeOperation = operation;
		pen.fillStyle = color;
		pen.fillRect(0, 0, width, height);
		pen.globalCompositeOperation = "source-over";
	}

	/** The white border that a sheet keeps, its edge left by the brush. */
	function paper(pen: Pen): void {
		const { noise } = stage;
		const edge = 26 * unit;
		pen.save();
		pen.beginPath();
		pen.rect(0, 0, width, height);
		const wobble = (t: number, side: number): number =>
			edge * (0.75 + 0.5 * noise.fractal(t / (70 * unit), side * 9, 3));
		pen.moveTo(edge, wobble(edge, 1));
		for (let x = edge; x < width - edge; x += 3) pen.lineTo(x, wobble(x, 1));
		for (let y = edge; y < height - edge; y += 3) pen.lineTo(width - wobble(y, 2), y);
		for (let x = width - edge; x > edge; x -= 3) pen.lineTo(x, height - wobble(x, 3));
		for (let y = height - edge; y > edge; y -= 3) pen.lineTo(wobble(y, 4), y);
		pen.closePath();
		pen.fillStyle = "rgb(250,247,240)";
		pen.fill("evenodd");
		pen.restore();
	}

	function pixelate(canvas: Canvas, pen: Pen): void {
		const rows = 128;
		const columns = Math.round((rows * width) / height);
		const little = createCanvas(columns, rows);
		const brush = little.getContext("2d");
		brush.imageSmoothingQuality = "high";
		brush.drawImage(canvas, 0, 0, columns, rows);
		const image = brush.getImageData(0, 0, columns, rows);
		const { data } = image;
		const bayer = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5];
		const levels = 18;
		for (let at = 0; at < data.length; at++) {
			if (at % 4 === 3) continue;
			const pixel = at >> 2;
			const threshold =
				((bayer[(Math.floor(pixel / columns) % 4) * 4 + ((pixel % columns) % 4)] ?? 0) / 16 - 0.5) * levels * 0.55;
			data[at] = clamp(Math.round(((data[at] ?? 0) + threshold) / levels) * levels * 1.06, 0, 255);
		}
		brush.putImageData(image, 0, 0);
		pen.imageSmoothingEnabled = false;
		pen.drawImage(little, 0, 0, width, height);
		pen.imageSmoothingEnabled = true;
	}

	/** Black lines and washes of gray on warm paper, with a trace of the colors. */
	function ink(pen: Pen): void {
		const image = pen.getImageData(0, 0, width, height);
		const { data } = image;
		const gray = new Float32Array(width * height);
		for (let at = 0; at < gray.length; at++)
			gray[at] = (data[at * 4]! * 0.3 + data[at * 4 + 1]! * 0.59 + data[at * 4 + 2]! * 0.11) / 255;
		const reach = Math.max(1, Math.round(unit));
		for (let y = 0; y < height; y++)
			for (let x = 0; x < width; x++) {
				const at = y * width + x;
				const right = gray[at + (x < width - reach ? reach : 0)]!;
				const down = gray[at + (y < height - reach ? reach * width : 0)]!;
				const here = gray[at]!;
				const line = clamp((Math.abs(here - right) + Math.abs(here - down)) * 9 - 0.2);
				const washed = Math.round(clamp((here - 0.5) * 1.7 + 0.56) * 5) / 5;
				const tone = clamp((0.14 + 0.86 * (washed * 0.7 + here * 0.3)) * (1 - 0.85 * line));
				for (let channel = 0; channel < 3; channel++) {
					const trace = (data[at * 4 + channel]! - here * 255) * 0.16;
					data[at * 4 + channel] = clamp(tone * ([250, 244, 230][channel] ?? 0) + trace, 0, 255);
				}
			}
		pen.putImageData(image, 0, 0);
		overlay(pen, 0.4);
	}
}

/** Moves every pixel a little along a noise, as wet paint runs. */
function displacement({ width, height, unit, noise }: Stage): (pen: Pen) => void {
	const cell = 2 * unit;
	const reach = 3 * unit;
	const columns = Math.ceil(width / cell) + 1;
	const angles = new Float32Array(columns * (Math.ceil(height / cell) + 1)).map((_, at) => {
		const [x, y] = [(at % columns) * cell, Math.floor(at / columns) * cell];
		return noise.fractal(x / (40 * unit), y / (40 * unit), 2) * Math.PI * 2;
	});
	const offsets = new Int32Array(width * height).map((_, at) => {
		const [x, y] = [at % width, Math.floor(at / width)];
		const angle = angles[Math.floor(y / cell) * columns + Math.floor(x / cell)] ?? 0;
		const fromX = clamp(Math.round(x + Math.cos(angle) * reach), 0, width - 1);
		const fromY = clamp(Math.round(y + Math.sin(angle) * reach), 0, height - 1);
		return fromY * width + fromX;
	});
	return (pen) => {
		const image = pen.getImageData(0, 0, width, height);
		const pixels = new Uint32Array(image.data.buffer, image.data.byteOffset, width * height);
		const from = Uint32Array.from(pixels);
		for (let at = 0; at < pixels.length; at++) pixels[at] = from[offsets[at]!]!;
		pen.putImageData(image, 0, 0);
	};
}
