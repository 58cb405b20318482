import { randomOf, type Vision } from "../vision.ts";
import { css, lerp, lighten, mix, oklch, ramp, type Colour } from "./colour.ts";
import { glow, moving, still, type Layer, type Pen, type Stage } from "./stage.ts";

/** Colours for a party: the accents and two that are always merry. */
function merry(vision: Vision): readonly [Colour, ...Colour[]] {
	const [first, ...rest] = vision.palette.accents;
	return [first, ...rest, oklch(0.76, 0.14, 350), oklch(0.78, 0.11, 215), oklch(0.87, 0.14, 92)];
}

/** Round lights out of focus, breathing: the room behind the party. */
export function bokehLayer(vision: Vision, stage: Stage, count: number): Layer {
	const random = randomOf(vision, "bokeh");
	const colours = merry(vision);
	const { width, height, unit } = stage;
	const lights = Array.from({ length: count }, () => ({
		x: random.next() * width,
		y: random.next() ** 1.3 * height * 0.85,
		radius: unit * random.between(1.6, 6.5),
		colour: mix(colours[random.integer(0, colours.length - 1)] ?? colours[0], vision.palette.light, 0.35),
		phase: random.between(0, 6.28),
	}));
	return (pen, seconds) => {
		for (const light of lights) {
			const pulse = 0.62 + 0.38 * Math.sin(seconds * 1.1 + light.phase);
			glow(pen, light.x, light.y + Math.sin(seconds * 0.4 + light.phase) * unit, light.radius, [
				[0, css(light.colour, 0.26 * pulse)],
				[0.82, css(light.colour, 0.26 * pulse)],
				[0.92, css(light.colour, 0.34 * pulse)],
				[1, css(light.colour, 0)],
			]);
		}
	};
}

/** Strings of little flags from side to side. */
export function buntingLayer(vision: Vision, stage: Stage): Layer {
	const random = randomOf(vision, "bunting");
	const colours = merry(vision);
	const { width, height, unit } = stage;
	const strings = [
		{ fromY: 0.02, toY: 0.1, sag: 15 },
		{ fromY: 0.13, toY: 0.01, sag: 19 },
	].map((string) => ({ ...string, start: random.integer(0, 5) }));
	return moving(stage, 0.3, (pen, seconds) => {
		for (const string of strings) {
			const at = (t: number): readonly [number, number] => [
				lerp(-unit * 5, width + unit * 5, t),
				lerp(string.fromY, string.toY, t) * height +
					Math.sin(Math.PI * t) * string.sag * unit +
					Math.sin(seconds * 0.9 + t * 5) * unit * 0.4,
			];
			pen.strokeStyle = css(mix(vision.palette.ink, vision.palette.sky[1], 0.4));
			pen.lineWidth = unit * 0.18;
			pen.beginPath();
			for (let step = 0; step <= 40; step++) pen.lineTo(...at(step / 40));
			pen.stroke();
			const flags = Math.max(8, Math.round(width / unit / 7.5));
			for (let flag = 0; flag < flags; flag++) {
				const [x, y] = at((flag + 0.5) / flags);
				const colour = colours[(flag + string.start) % colours.length] ?? colours[0];
				const flutter = Math.sin(seconds * 2.2 + flag) * unit * 0.35;
				pen.fillStyle = css(colour);
				pen.beginPath();
				pen.moveTo(x - unit * 2.1, y);
				pen.lineTo(x + unit * 2.1, y);
				pen.lineTo(x + flutter, y + unit * 4.5);
				pen.fill();
				pen.fillStyle = css(lighten(colour, -0.1), 0.55);
				pen.beginPath();
				pen.moveTo(x, y);
				pen.lineTo(x + unit * 2.1, y);
				pen.lineTo(x + flutter, y + unit * 4.5);
				pen.fill();
			}
		}
	});
}

/** Toy balloons on strings that rise and sway. */
export function toyBalloonsLayer(vision: Vision, stage: Stage, count: number, own: Colour | null): Layer {
	const random = randomOf(vision, "toy balloons");
	const colours = own === null ? merry(vision) : [own];
	const { width, height, unit } = stage;
	const balloons = Array.from({ length: count }, (_, index) => {
		const left = index % 2 === 0;
		const near = random.next();
		return {
			x: width * (left ? random.between(0.02, 0.3) : random.between(0.7, 0.98)),
			y: height * random.between(0.16, 0.62),
			size: unit * lerp(4.6, 7.8, near),
			near,
			colour: colours[random.integer(0, colours.length - 1)] ?? vision.palette.accents[0],
			phase: random.between(0, 6.28),
		};
	}).toSorted((a, b) => a.near - b.near);
	return moving(stage, 0.6, (pen, seconds) => {
		for (const balloon of balloons) {
			const x = balloon.x + Math.sin(seconds * 0.8 + balloon.phase) * unit * 1.1;
			const y = balloon.y + Math.sin(seconds * 1.1 + balloon.phase * 2) * unit * 0.9;
			paintToyBalloon(pen, x, y, balloon.size, balloon.colour, vision, seconds + balloon.phase);
		}
	});
}

function paintToyBalloon(
	pen: Pen,
	x: number,
	y: number,
	size: number,
	colour: Colour,
	vision: Vision,
	swing: number,
): void {
	pen.strokeStyle = css(mix(colour, vision.palette.ink, 0.45), 0.7);
	pen.lineWidth = size * 0.035;
	pen.beginPath();
	pen.moveTo(x, y + size * 1.25);
	pen.bezierCurveTo(
		x + Math.sin(swing) * size * 0.5,
		y + size * 2.2,
		x - Math.sin(swing * 0.9) * size * 0.5,
		y + size * 3,
		x + Math.sin(swing * 0.7) * size * 0.3,
		y + size * 4,
	);
	pen.stroke();
	const skin = pen.createRadialGradient(x - size * 0.35, y - size * 0.45, size * 0.1, x, y, size * 1.3);
	skin.addColorStop(0, css(mix(lighten(colour, 0.12), vision.palette.light, 0.3)));
	skin.addColorStop(0.45, css(colour));
	skin.addColorStop(1, css(lighten(mix(colour, vision.palette.ink, 0.2), -0.08)));
	pen.fillStyle = skin;
	pen.beginPath();
	pen.moveTo(x, y + size * 1.18);
	pen.bezierCurveTo(x - size * 1.05, y + size * 0.55, x - size * 1.15, y - size * 1.15, x, y - size * 1.15);
	pen.bezierCurveTo(x + size * 1.15, y - size * 1.15, x + size * 1.05, y + size * 0.55, x, y + size * 1.18);
	pen.fill();
	pen.beginPath();
	pen.moveTo(x, y + size * 1.1);
	pen.lineTo(x - size * 0.15, y + size * 1.32);
	pen.lineTo(x + size * 0.15, y + size * 1.32);
	pen.fill();
	pen.fillStyle = "rgba(255,255,255,0.5)";
	pen.beginPath();
	pen.ellipse(x - size * 0.4, y - size * 0.55, size * 0.13, size * 0.27, 0.5, 0, Math.PI * 2);
	pen.fill();
}

/** A cake with tiers, dripping icing and candles that burn. */
export function cakeLayer(
	vision: Vision,
	stage: Stage,
	x: number,
	baseY: number,
	scale: number,
	colour: Colour | null,
): Layer {
	const random = randomOf(vision, "cake");
	const colours = merry(vision);
	const icing = colour ?? mix(colours[3] ?? colours[0], { l: 0.97, c: 0.01, h: 60 }, 0.25);
	const cream = mix({ l: 0.96, c: 0.025, h: 80 }, vision.palette.light, 0.2);
	const sponge = { l: 0.78, c: 0.08, h: 72 };
	const u = stage.unit * scale;
	const tiers = [
		{ half: 17, height: 10, y: 0 },
		{ half: 12, height: 9, y: -10 },
		{ half: 7.4, height: 7.5, y: -19 },
	];
	const cake = still(stage, 0.5, (pen) => {
		pen.save();
		pen.translate(x, baseY);
		pen.scale(u, u);
		pen.fillStyle = css(vision.palette.ink, 0.28);
		pen.beginPath();
		pen.ellipse(0, 1.6, 24, 3.2, 0, 0, Math.PI * 2);
		pen.fill();
		pen.fillStyle = css(mix(cream, vision.palette.sky[2], 0.3));
		pen.beginPath();
		pen.ellipse(0, 0.6, 21.5, 2.8, 0, 0, Math.PI * 2);
		pen.fill();
		tiers.forEach((tier, index) => {
			const top = tier.y - tier.height;
			const tone = index % 2 === 0 ? sponge : mix(sponge, icing, 0.55);
			const side = pen.createLinearGradient(-tier.half, 0, tier.half, 0);
			side.addColorStop(0, css(lighten(tone, -0.13)));
			side.addColorStop(0.4, css(tone));
			side.addColorStop(0.65, css(mix(tone, vision.palette.light, 0.3)));
			side.addColorStop(1, css(lighten(tone, -0.11)));
			pen.fillStyle = side;
			pen.beginPath();
			pen.moveTo(-tier.half, top);
			pen.lineTo(-tier.half, tier.y - 0.6);
			pen.quadraticCurveTo(0, tier.y + 2.6, tier.half, tier.y - 0.6);
			pen.lineTo(tier.half, top);
			pen.fill();
			const drip = pen.createLinearGradient(-tier.half, 0, tier.half, 0);
			const coat = index % 2 === 0 ? icing : cream;
			drip.addColorStop(0, css(lighten(coat, -0.09)));
			drip.addColorStop(0.6, css(mix(lighten(coat, 0.03), vision.palette.light, 0.2)));
			drip.addColorStop(1, css(lighten(coat, -0.07)));
			pen.fillStyle = drip;
			pen.beginPath();
			pen.ellipse(0, top, tier.half + 0.2, 1.9, 0, Math.PI, Math.PI * 2);
			let at = tier.half + 0.2;
			while (at > -tier.half) {
				const next = Math.max(-tier.half - 0.2, at - random.between(1.6, 2.9));
				const bow = 1.9 * Math.sqrt(Math.max(0, 1 - ((at + next) / 2 / tier.half) ** 2));
				const hang = top + bow + random.between(0.7, tier.height * 0.5);
				pen.bezierCurveTo(at, hang, next, hang, next, top + bow * 0.75);
				at = next;
			}
			pen.closePath();
			pen.fill();
			for (let dot = 0; dot < tier.half * 1.6; dot++) {
				const dx = random.between(-0.95, 0.95) * tier.half;
				pen.fillStyle = css(colours[random.integer(0, colours.length - 1)] ?? icing);
				pen.beginPath();
				pen.ellipse(dx, top + random.between(-1, 1.2), 0.34, 0.2, random.between(0, 3), 0, Math.PI * 2);
				pen.fill();
			}
			for (let pearl = 0; pearl <= 16; pearl++) {
				const px = lerp(-tier.half, tier.half, pearl / 16);
				pen.fillStyle = css(lighten(cream, -0.02 * (pearl % 2)));
				pen.beginPath();
				pen.arc(px, tier.y - 0.5 + 1.6 * Math.sqrt(Math.max(0, 1 - (px / tier.half) ** 2)), 0.72, 0, Math.PI * 2);
				pen.fill();
			}
		});
		pen.restore();
	});
	const candles = moving(stage, 0.5, (pen, seconds) => {
		pen.save();
		pen.translate(x, baseY);
		pen.scale(u, u);
		for (let candle = 0; candle < 5; candle++) {
			const cx = (candle - 2) * 2.7;
			const foot = -26.6 + Math.abs(candle - 2) * -0.25;
			const stick = colours[(candle + 1) % colours.length] ?? icing;
			pen.fillStyle = css(stick);
			pen.fillRect(cx - 0.45, foot - 5.4, 0.9, 5.8);
			pen.fillStyle = "rgba(255,255,255,0.55)";
			for (let band = 0; band < 3; band++) pen.fillRect(cx - 0.45, foot - 4.7 + band * 1.6, 0.9, 0.45);
			const flick = Math.sin(seconds * 9 + candle * 2.1) * 0.22 + Math.sin(seconds * 15 + candle) * 0.12;
			glow(pen, cx, foot - 7, 6.5, [
				[0, css(oklch(0.9, 0.13, 80), 0.7)],
				[0.25, css(oklch(0.85, 0.14, 70), 0.25)],
				[1, css(oklch(0.85, 0.14, 70), 0)],
			]);
			for (const [wide, tall, tone] of [
				[0.72, 2.5, oklch(0.76, 0.17, 58)],
				[0.42, 1.6, oklch(0.95, 0.11, 95)],
			] as const) {
				pen.fillStyle = css(tone);
				pen.beginPath();
				pen.moveTo(cx, foot - 5.5);
				pen.bezierCurveTo(
					cx - wide * 1.3,
					foot - 6.4,
					cx - wide * 0.3 + flick,
					foot - 7,
					cx + flick,
					foot - 5.5 - tall,
				);
				pen.bezierCurveTo(cx + wide * 0.5 + flick, foot - 7, cx + wide * 1.3, foot - 6.4, cx, foot - 5.5);
				pen.fill();
			}
		}
		pen.restore();
	});
	return (pen, seconds) => {
		cake(pen, seconds);
		candles(pen, seconds);
	};
}

/** A table, painted as a warm field of colour. */
export function tableLayer(vision: Vision, stage: Stage, fromY: number): Layer {
	const { width, height, unit } = stage;
	const { palette } = vision;
	return still(stage, 0.5, (pen) => {
		const cloth = pen.createLinearGradient(0, fromY, 0, height);
		cloth.addColorStop(0, css(mix(mix(palette.foam, palette.accents[0], 0.35), palette.sky[1], 0.3)));
		cloth.addColorStop(1, css(mix(mix(palette.foam, palette.accents[0], 0.5), palette.ink, 0.2)));
		pen.fillStyle = cloth;
		pen.fillRect(-unit * 6, fromY, width + unit * 12, height - fromY + unit);
		pen.fillStyle = css(palette.foam, 0.16);
		for (let check = 0; check < 40; check++)
			pen.fillRect(-unit * 6 + check * unit * 8, fromY, unit * 4, height - fromY);
		for (let check = 0; check < 8; check++)
			pen.fillRect(-unit * 6, fromY + check * unit * 6, width + unit * 12, unit * 3);
		pen.fillStyle = css(palette.foam, 0.5);
		pen.fillRect(-unit * 6, fromY, width + unit * 12, unit * 0.3);
	});
}

/** Paper snippets and streamers in the air. */
export function confettiLayer(vision: Vision, stage: Stage, count: number): Layer {
	const random = randomOf(vision, "confetti");
	const colours = merry(vision);
	const { width, height, unit } = stage;
	const snips = Array.from({ length: count }, () => ({
		u: random.next(),
		v: random.next(),
		near: random.next() ** 1.6,
		phase: random.between(0, 6.28),
		spin: random.between(1.5, 5),
		round: random.chance(0.3),
		colour: css(colours[random.integer(0, colours.length - 1)] ?? colours[0], random.between(0.8, 1)),
	}));
	return (pen, seconds) => {
		for (const snip of snips) {
			const size = unit * lerp(0.45, 1.5, snip.near);
			const y = ((snip.v * height * 1.1 + seconds * unit * lerp(4, 12, snip.near)) % (height * 1.1)) - height * 0.05;
			const x = snip.u * width + Math.sin(seconds * 1.3 + snip.phase) * unit * 2.5;
			pen.save();
			pen.translate(x, y);
			pen.rotate(snip.phase + seconds * snip.spin * 0.4);
			pen.scale(1, Math.cos(snip.phase + seconds * snip.spin));
			pen.fillStyle = snip.colour;
			if (snip.round) {
				pen.beginPath();
				pen.arc(0, 0, size * 0.6, 0, Math.PI * 2);
				pen.fill();
			} else {
				pen.fillRect(-size * 0.7, -size * 0.4, size * 1.4, size * 0.8);
			}
			pen.restore();
		}
	};
}

function insideHeart(x: number, y: number): boolean {
	const across = x * 1.62;
	const up = y * 1.62 + 0.12;
	return (across * across + up * up - 1) ** 3 - 1.5 * across * across * up * up * up < 0;
}

/** A great heart made of many petals of paint. */
export function heartLayer(
	vision: Vision,
	stage: Stage,
	place: { readonly x: number; readonly y: number; readonly size: number },
	colour: Colour | null,
): Layer {
	const random = randomOf(vision, "heart");
	const tone = colour ?? oklch(0.62, 0.21, 18);
	const { light, ink } = vision.palette;
	return moving(stage, 0.4, (pen, seconds) => {
		const beat = 1 + (stage.film ? 0.03 * Math.max(0, Math.sin(seconds * 5.2)) ** 3 : 0);
		const strokes = random.fork("strokes");
		glow(pen, place.x, place.y, place.size * 1.7, [
			[0, css(tone, 0.5)],
			[1, css(tone, 0)],
		]);
		pen.save();
		pen.translate(place.x, place.y);
		pen.scale(place.size * beat, place.size * beat);
		pen.lineCap = "round";
		for (let stroke = 0; stroke < 2600; stroke++) {
			const x = strokes.between(-0.85, 0.85);
			const y = strokes.between(-0.85, 0.85);
			const length = strokes.between(0.03, 0.1);
			const width = strokes.between(0.014, 0.042);
			const shake = strokes.between(-0.06, 0.06);
			if (!insideHeart(x, y)) continue;
			const lit = Math.min(1, Math.max(0, 0.45 + y * 0.45 - x * 0.35));
			pen.strokeStyle = css(
				lighten(ramp([mix(tone, ink, 0.42), tone, mix(lighten(tone, 0.1), light, 0.35)], lit), shake),
				0.9,
			);
			pen.lineWidth = width;
			const angle = Math.atan2(-y, x) + Math.PI / 2;
			pen.beginPath();
			pen.moveTo(x, -y);
			pen.lineTo(x + Math.cos(angle) * length, -y + Math.sin(angle) * length);
			pen.stroke();
		}
		pen.restore();
	});
}
