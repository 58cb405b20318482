import { randomOf, type Vision } from "../vision.ts";
import { fillShape } from "./brush.ts";
import { css, lerp, lighten, mix, type Colour } from "./colour.ts";
import { isWintry } from "./mountains.ts";
import { glow, moving, still, type Layer, type Pen, type Stage } from "./stage.ts";

export interface Site {
	readonly x: number;
	readonly y: number;
	readonly scale: number;
	readonly depth: number;
}

const isDark = (vision: Vision): boolean =>
	vision.time === "night" || vision.time === "dusk" || vision.time === "sunset" || vision.weather === "storm";

function enter(pen: Pen, stage: Stage, site: Site, paint: () => void): void {
	pen.save();
	pen.translate(site.x, site.y);
	pen.scale(stage.unit * site.scale, stage.unit * site.scale);
	paint();
	pen.restore();
}

function litWindow(pen: Pen, vision: Vision, x: number, y: number, width: number, height: number, lit: boolean): void {
	const { palette } = vision;
	const warm = mix(palette.accents[1], { l: 0.88, c: 0.13, h: 82 }, 0.6);
	pen.fillStyle = css(lit ? warm : mix(palette.landNear, palette.sky[1], 0.4));
	pen.fillRect(x, y, width, height);
	pen.fillStyle = css(palette.ink, 0.7);
	pen.fillRect(x + width / 2 - 0.07, y, 0.14, height);
	pen.fillRect(x, y + height / 2 - 0.07, width, 0.14);
	if (!lit) return;
	glow(pen, x + width / 2, y + height / 2, Math.max(width, height) * 3.2, [
		[0, css(warm, 0.55)],
		[0.3, css(warm, 0.2)],
		[1, css(warm, 0)],
	]);
}

/** A house of timber with a steep roof, lit windows and smoke. */
export function cabinLayer(vision: Vision, stage: Stage, site: Site, colour: Colour | null): Layer {
	const { palette } = vision;
	const lit = isDark(vision);
	const wintry = isWintry(vision);
	const wall = mix(colour ?? { l: 0.45, c: 0.07, h: 50 }, lit ? palette.ink : palette.landNear, lit ? 0.42 : 0.2);
	const roof = wintry
		? mix(palette.foam, palette.sky[1], lit ? 0.4 : 0.1)
		: mix(palette.accents[0], palette.ink, lit ? 0.55 : 0.35);
	const house = still(stage, site.depth, (pen) =>
		enter(pen, stage, site, () => {
			pen.fillStyle = css(palette.ink, 0.3);
			pen.beginPath();
			pen.ellipse(0.5, 0.3, 9, 1, 0, 0, Math.PI * 2);
			pen.fill();
			pen.fillStyle = css(wall);
			pen.fillRect(-6.5, -6, 13, 6.3);
			fillShape(pen, [
				[-6.5, -5.9],
				[-2.2, -11.4],
				[2.2, -5.9],
			]);
			pen.strokeStyle = css(lighten(wall, -0.07));
			pen.lineWidth = 0.16;
			pen.beginPath();
			for (let log = 0; log < 7; log++) {
				pen.moveTo(-6.5, -5.4 + log * 0.86);
				pen.lineTo(6.5, -5.4 + log * 0.86);
			}
			pen.stroke();
			pen.fillStyle = css(mix(wall, palette.ink, 0.35));
			pen.fillRect(3.6, -13.2, 1.7, 4.4);
			pen.fillStyle = css(roof);
			fillShape(pen, [
				[-2.6, -12],
				[4.4, -11.4],
				[8, -5.2],
				[2.4, -5.4],
			]);
			pen.strokeStyle = css(roof);
			pen.lineWidth = 1;
			pen.lineCap = "round";
			pen.beginPath();
			pen.moveTo(-7.4, -5.2);
			pen.lineTo(-2.4, -11.8);
			pen.lineTo(2.5, -5.5);
			pen.stroke();
			pen.fillStyle = css(mix(wall, palette.ink, 0.5));
			pen.fillRect(-3.2, -3.6, 2, 3.9);
			litWindow(pen, vision, 3.2, -4.2, 2, 2, lit);
			litWindow(pen, vision, -3.1, -7.9, 1.7, 1.7, lit);
			litWindow(pen, vision, -5.7, -3.9, 1.5, 1.7, lit);
		}),
	);
	const smoke = moving(stage, site.depth, (pen, seconds) =>
		enter(pen, stage, site, () => {
			for (let puff = 0; puff < 11; puff++) {
				const t = (puff / 11 + seconds * 0.07) % 1;
				const x = 4.4 + Math.sin(t * 5 + puff + seconds * 0.4) * (0.5 + 2 * t) + t * t * 11 * (0.3 + vision.wind);
				glow(pen, x, -13.6 - t * 16, 0.9 + t * 3.4, [
					[0, css(palette.cloudLit, 0.3 * (1 - t) * Math.min(1, t * 8))],
					[1, css(palette.cloudLit, 0)],
				]);
			}
		}),
	);
	return (pen, seconds) => {
		smoke(pen, seconds);
		house(pen, seconds);
	};
}

/** Towers, walls and banners on a height. */
export function castleLayer(vision: Vision, stage: Stage, site: Site, colour: Colour | null): Layer {
	const random = randomOf(vision, "castle");
	const { palette } = vision;
	const lit = isDark(vision);
	const stone = mix(
		colour ?? mix({ l: 0.7, c: 0.03, h: 70 }, palette.landFar, 0.4),
		palette.landNear,
		lit ? 0.45 : 0.12,
	);
	const roof = mix(palette.accents[0], palette.ink, lit ? 0.45 : 0.2);
	const side = vision.focusX < 0.5 ? 1 : -1;
	const towers = [
		{ x: -9.5, wide: 3.6, tall: 13 },
		{ x: 9.5, wide: 3.8, tall: 15 },
		{ x: -4.4, wide: 3.4, tall: 19 },
		{ x: 4.8, wide: 3.2, tall: 21.5 },
		{ x: 0.2, wide: 4.4, tall: 27 },
	];
	const wallPiece = (pen: Pen, x: number, wide: number, tall: number): void => {
		const shade = pen.createLinearGradient(x - wide / 2, 0, x + wide / 2, 0);
		shade.addColorStop(side > 0 ? 1 : 0, css(mix(lighten(stone, 0.06), palette.light, 0.2)));
		shade.addColorStop(0.5, css(stone));
		shade.addColorStop(side > 0 ? 0 : 1, css(lighten(stone, -0.13)));
		pen.fillStyle = shade;
		pen.fillRect(x - wide / 2, -tall, wide, tall + 1.5);
		const merlons = Math.max(3, Math.round(wide / 1.1));
		for (let merlon = 0; merlon < merlons; merlon++) {
			pen.fillRect(
				x - wide / 2 - 0.25 + (merlon * (wide + 0.5)) / merlons,
				-tall - 0.9,
				((wide + 0.5) / merlons) * 0.58,
				1.1,
			);
		}
	};
	const keep = still(stage, site.depth, (pen) =>
		enter(pen, stage, site, () => {
			for (const tower of [...towers].toSorted((a, b) => b.tall - a.tall)) {
				wallPiece(pen, tower.x, tower.wide, tower.tall);
				pen.fillStyle = css(roof);
				fillShape(pen, [
					[tower.x - tower.wide * 0.68, -tower.tall - 0.5],
					[tower.x, -tower.tall - tower.wide * 2.1],
					[tower.x + tower.wide * 0.68, -tower.tall - 0.5],
				]);
				pen.fillStyle = css(palette.light, 0.22);
				fillShape(pen, [
					[tower.x, -tower.tall - tower.wide * 2.1],
					[tower.x + side * tower.wide * 0.68, -tower.tall - 0.5],
					[tower.x + side * tower.wide * 0.2, -tower.tall - 0.5],
				]);
				for (let floor = 0; floor < 3; floor++) {
					if (random.chance(0.3)) continue;
					litWindow(pen, vision, tower.x - 0.35, -tower.tall * (0.34 + floor * 0.22), 0.7, 1.5, lit);
				}
			}
			wallPiece(pen, 0, 23, 7.2);
			pen.fillStyle = css(palette.ink, 0.85);
			pen.beginPath();
			pen.roundRect(-1.7, -4.6, 3.4, 6, [1.7, 1.7, 0, 0]);
			pen.fill();
			pen.fillStyle = css(lighten(stone, -0.09), 0.6);
			for (let block = 0; block < 60; block++)
				pen.fillRect(random.between(-11, 10.4), random.between(-6.6, 0.6), random.between(0.5, 1.1), 0.26);
		}),
	);
	const banners = moving(stage, site.depth, (pen, seconds) =>
		enter(pen, stage, site, () => {
			for (const tower of towers) {
				const top = -tower.tall - tower.wide * 2.1;
				pen.strokeStyle = css(palette.ink);
				pen.lineWidth = 0.16;
				pen.beginPath();
				pen.moveTo(tower.x, top);
				pen.lineTo(tower.x, top - 2.4);
				pen.stroke();
				const wave = Math.sin(seconds * 5 + tower.x) * 0.35;
				pen.fillStyle = css(palette.accents[1]);
				fillShape(pen, [
					[tower.x, top - 2.4],
					[tower.x + side * 2.6, top - 1.9 + wave],
					[tower.x, top - 1.2],
				]);
			}
		}),
	);
	return (pen, seconds) => {
		banners(pen, seconds);
		keep(pen, seconds);
	};
}

/** A windmill whose sails turn. */
export function windmillLayer(vision: Vision, stage: Stage, site: Site, colour: Colour | null): Layer {
	const { palette } = vision;
	const lit = isDark(vision);
	const wall = mix(colour ?? mix(palette.foam, palette.landFar, 0.2), palette.landNear, lit ? 0.35 : 0.06);
	const tower = still(stage, site.depth, (pen) =>
		enter(pen, stage, site, () => {
			const shade = pen.createLinearGradient(-6, 0, 6, 0);
			shade.addColorStop(vision.focusX < 0.5 ? 1 : 0, css(mix(wall, palette.light, 0.3)));
			shade.addColorStop(vision.focusX < 0.5 ? 0 : 1, css(lighten(wall, -0.17)));
			pen.fillStyle = shade;
			fillShape(pen, [
				[-5.2, 0.8],
				[-3.1, -16.5],
				[3.1, -16.5],
				[5.2, 0.8],
			]);
			pen.fillStyle = css(mix(palette.accents[0], palette.ink, 0.3));
			pen.beginPath();
			pen.moveTo(-3.8, -16.3);
			pen.quadraticCurveTo(-3, -21.4, 0, -22);
			pen.quadraticCurveTo(3, -21.4, 3.8, -16.3);
			pen.fill();
			pen.fillStyle = css(palette.ink, 0.8);
			pen.beginPath();
			pen.roundRect(-1.2, -3.4, 2.4, 4.1, [1.2, 1.2, 0, 0]);
			pen.fill();
			litWindow(pen, vision, -0.7, -9, 1.4, 1.7, lit);
			litWindow(pen, vision, -0.6, -14, 1.2, 1.4, lit);
		}),
	);
	const sails = moving(stage, site.depth, (pen, seconds) =>
		enter(pen, stage, site, () => {
			pen.translate(0, -18);
			pen.rotate(0.5 + seconds * (0.5 + vision.wind));
			for (let sail = 0; sail < 4; sail++) {
				pen.rotate(Math.PI / 2);
				pen.fillStyle = css(mix(palette.foam, palette.sky[3], 0.4), 0.86);
				pen.fillRect(0.3, -13, 3, 10.4);
				pen.strokeStyle = css(mix(palette.ink, wall, 0.2));
				pen.lineWidth = 0.3;
				pen.beginPath();
				pen.moveTo(0, 0);
				pen.lineTo(0, -13.4);
				for (let slat = 0; slat <= 6; slat++) {
					pen.moveTo(0, -2.6 - slat * 1.73);
					pen.lineTo(3.3, -2.6 - slat * 1.73);
				}
				pen.stroke();
			}
			pen.fillStyle = css(palette.ink);
			pen.beginPath();
			pen.arc(0, 0, 0.8, 0, Math.PI * 2);
			pen.fill();
		}),
	);
	return (pen, seconds) => {
		tower(pen, seconds);
		sails(pen, seconds);
	};
}

/** A tent lit from inside, and a fire before it. */
export function tentLayer(vision: Vision, stage: Stage, site: Site, colour: Colour | null): Layer {
	const { palette } = vision;
	const cloth = colour ?? palette.accents[0];
	const lit = isDark(vision);
	const tent = still(stage, site.depth, (pen) =>
		enter(pen, stage, site, () => {
			const inner = pen.createRadialGradient(0, -1.5, 0.5, 0, -2, 8);
			inner.addColorStop(0, css(lit ? mix(cloth, { l: 0.93, c: 0.11, h: 85 }, 0.78) : lighten(cloth, 0.08)));
			inner.addColorStop(1, css(lit ? mix(cloth, palette.ink, 0.3) : cloth));
			pen.fillStyle = inner;
			fillShape(pen, [
				[-7.5, 0.5],
				[0, -8.6],
				[7.5, 0.5],
			]);
			pen.fillStyle = css(mix(cloth, palette.ink, 0.45));
			fillShape(pen, [
				[0, -8.6],
				[7.5, 0.5],
				[10.6, -1.2],
				[3, -8.4],
			]);
			pen.fillStyle = css(lit ? { l: 0.95, c: 0.09, h: 88 } : mix(cloth, palette.ink, 0.6));
			fillShape(pen, [
				[-1.9, 0.5],
				[0, -5.4],
				[1.9, 0.5],
			]);
			if (lit) {
				glow(pen, 0, -2, 15, [
					[0, css({ l: 0.85, c: 0.14, h: 75 }, 0.4)],
					[1, css({ l: 0.85, c: 0.14, h: 75 }, 0)],
				]);
			}
		}),
	);
	const fire = moving(stage, site.depth, (pen, seconds) =>
		enter(pen, stage, { ...site, x: site.x + (vision.focusX < 0.5 ? 1 : -1) * stage.unit * site.scale * 15 }, () => {
			const breath = 1 + 0.1 * Math.sin(seconds * 9) + 0.07 * Math.sin(seconds * 23);
			glow(pen, 0, -2, 21 * breath, [
				[0, css({ l: 0.85, c: 0.16, h: 62 }, 0.6)],
				[0.3, css({ l: 0.8, c: 0.16, h: 55 }, 0.2)],
				[1, css({ l: 0.8, c: 0.16, h: 55 }, 0)],
			]);
			pen.strokeStyle = css(mix(palette.ink, { l: 0.35, c: 0.06, h: 45 }, 0.5));
			pen.lineWidth = 0.9;
			pen.lineCap = "round";
			pen.beginPath();
			pen.moveTo(-2.6, 0.6);
			pen.lineTo(2.4, -0.5);
			pen.moveTo(2.6, 0.6);
			pen.lineTo(-2.4, -0.5);
			pen.stroke();
			for (const [wide, tall, tone] of [
				[1.9, 5.6, { l: 0.68, c: 0.19, h: 42 }],
				[1.3, 4, { l: 0.8, c: 0.16, h: 65 }],
				[0.7, 2.4, { l: 0.96, c: 0.09, h: 95 }],
			] as const) {
				const bend = Math.sin(seconds * 7 + wide * 5) * 0.5;
				pen.fillStyle = css(tone, 0.95);
				pen.beginPath();
				pen.moveTo(-wide, 0);
				pen.bezierCurveTo(-wide * 1.1, -tall * 0.5, bend - 0.3, -tall * 0.6, bend, -tall * breath);
				pen.bezierCurveTo(bend + 0.6, -tall * 0.5, wide * 1.1, -tall * 0.4, wide, 0);
				pen.fill();
			}
			for (let spark = 0; spark < 14; spark++) {
				const t = (spark / 14 + seconds * 0.3) % 1;
				pen.fillStyle = css({ l: 0.85, c: 0.16, h: 65 }, 1 - t);
				pen.beginPath();
				pen.arc(Math.sin(spark * 7 + t * 6) * (0.5 + 2.4 * t), -4 - t * 15, 0.17, 0, Math.PI * 2);
				pen.fill();
			}
		}),
	);
	return (pen, seconds) => {
		tent(pen, seconds);
		fire(pen, seconds);
	};
}

/** A village on a slope: houses in rows, small and near each other. */
export function villageLayer(
	vision: Vision,
	stage: Stage,
	topAt: (x: number) => number,
	depth: number,
	count: number,
): Layer {
	const random = randomOf(vision, `village ${depth}`);
	const walls = [
		vision.palette.accents[0],
		vision.palette.accents[1],
		{ l: 0.55, c: 0.06, h: 50 },
		{ l: 0.72, c: 0.03, h: 75 },
	];
	const houses = Array.from({ length: count }, (_, index) => {
		const x = stage.width * (0.12 + (0.76 * (index + random.between(0.15, 0.85))) / count);
		return {
			layer: cabinLayer(
				vision,
				stage,
				{
					x,
					y: topAt(x) + stage.unit * random.between(1.2, lerp(2, 5, depth)),
					scale: lerp(0.42, 0.95, depth) * random.between(0.85, 1.15),
					depth,
				},
				walls[random.integer(0, walls.length - 1)] ?? null,
			),
			x,
		};
	});
	return (pen, seconds) => {
		for (const house of houses) house.layer(pen, seconds);
	};
}
