/**
 * Converts RGBA to planar YUV 4:2:0 in video range. Width and height are even. The encoder's own conversion always uses
 * the matrix of standard definition (BT.601), but players assume that of high definition (BT.709) from 720 lines up: reds
 * would come out as orange.
 */
export function rgbaToI420(rgba: Uint8Array | Uint8ClampedArray, width: number, height: number): Buffer {
	// The weights of red, blue and green in the luma.
	const [kr, kb] = Math.min(width, height) >= 720 ? [0.2126, 0.0722] : [0.299, 0.114];
	const kg = 1 - kr - kb;
	// The coefficients are numbers in 16.16 fixed point.
	const one = 65536;
	const lumaScale = (219 / 255) * one;
	const chromaScale = (224 / 255) * one;
	const yr = Math.round(kr * lumaScale);
	const yg = Math.round(kg * lumaScale);
	const yb = Math.round(kb * lumaScale);
	const ur = Math.round((-kr / (2 * (1 - kb))) * chromaScale);
	const ug = Math.round((-kg / (2 * (1 - kb))) * chromaScale);
	const ub = -ur - ug;
	const vg = Math.round((-kg / (2 * (1 - kr))) * chromaScale);
	const vb = Math.round((-kb / (2 * (1 - kr))) * chromaScale);
	const vr = -vg - vb;

	const halfWidth = width >> 1;
	const halfHeight = height >> 1;
	const planes = Buffer.allocUnsafeSlow(width * height + 2 * halfWidth * halfHeight);
	const uStart = width * height;
	const vStart = uStart + halfWidth * halfHeight;
	const pixels = new Uint32Array(rgba.buffer, rgba.byteOffset, width * height);
	const rounding = one / 2;
	/** The index in both chroma planes. A sample covers two by two pixels: a and b on top, c and d below. */
	let chroma = 0;
	for (let y = 0; y < height; y += 2) {
		let top = y * width;
		let bottom = top + width;
		for (let x = 0; x < halfWidth; x++, chroma++, top += 2, bottom += 2) {
			// oxlint-disable typescript/no-non-null-assertion -- the loop bounds hold; a check per pixel would cost a third more
			const a = pixels[top]!;
			const b = pixels[top + 1]!;
			const c = pixels[bottom]!;
			const d = pixels[bottom + 1]!;
			planes[top] = 16 + ((yr * (a & 255) + yg * ((a >>> 8) & 255) + yb * ((a >>> 16) & 255) + rounding) >> 16);
			planes[top + 1] = 16 + ((yr * (b & 255) + yg * ((b >>> 8) & 255) + yb * ((b >>> 16) & 255) + rounding) >> 16);
			planes[bottom] = 16 + ((yr * (c & 255) + yg * ((c >>> 8) & 255) + yb * ((c >>> 16) & 255) + rounding) >> 16);
			planes[bottom + 1] = 16 + ((yr * (d & 255) + yg * ((d >>> 8) & 255) + yb * ((d >>> 16) & 255) + rounding) >> 16);
			// The sum of four pixels has two more bits.
			const red = (a & 255) + (b & 255) + (c & 255) + (d & 255);
			const green = ((a >>> 8) & 255) + ((b >>> 8) & 255) + ((c >>> 8) & 255) + ((d >>> 8) & 255);
			const blue = ((a >>> 16) & 255) + ((b >>> 16) & 255) + ((c >>> 16) & 255) + ((d >>> 16) & 255);
			planes[uStart + chroma] = 128 + ((ur * red + ug * green + ub * blue + 4 * rounding) >> 18);
			planes[vStart + chroma] = 128 + ((vr * red + vg * green + vb * blue + 4 * rounding) >> 18);
		}
	}
	return planes;
}
