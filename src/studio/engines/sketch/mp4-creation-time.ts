const CONTAINERS = new Set(["moov", "trak", "mdia"]);
/** The boxes that begin with version, flags, creation time and modification time. */
const DATED = new Set(["mvhd", "tkhd", "mdhd"]);

/**
 * Takes the time of writing out of an MP4, in place: the muxer always writes it, and with it the same picture would never
 * give the same bytes twice. Zero means "unknown" in ISO 14496-12.
 */
export function withoutCreationTime(mp4: Uint8Array): Uint8Array {
	const view = new DataView(mp4.buffer, mp4.byteOffset, mp4.byteLength);
	walk(0, mp4.byteLength);
	return mp4;

	function walk(from: number, end: number): void {
		let at = from;
		while (at + 8 <= end) {
			const size = view.getUint32(at);
			const type = String.fromCharCode(...mp4.subarray(at + 4, at + 8));
			if (DATED.has(type)) {
				const timesBytes = view.getUint8(at + 8) === 1 ? 16 : 8;
				mp4.fill(0, at + 12, at + 12 + timesBytes);
			}
			// Media data comes last and may be longer than 32 bits can say (size 1) or run to the end (size 0).
			if (size < 8) return;
			if (CONTAINERS.has(type)) walk(at + 8, at + size);
			at += size;
		}
	}
}
