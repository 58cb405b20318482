const SAMPLE_RATE = 8000;

/** Returns a WAV file of silence. */
export function wav(seconds: number): Uint8Array {
	const samples = Buffer.alloc(SAMPLE_RATE * seconds * 2);
	const header = Buffer.alloc(44);
	header.write("RIFF", 0);
	header.writeUInt32LE(36 + samples.byteLength, 4);
	header.write("WAVEfmt ", 8);
	header.writeUInt32LE(16, 16);
	header.writeUInt16LE(1, 20);
	header.writeUInt16LE(1, 22);
	header.writeUInt32LE(SAMPLE_RATE, 24);
	header.writeUInt32LE(SAMPLE_RATE * 2, 28);
	header.writeUInt16LE(2, 32);
	header.writeUInt16LE(16, 34);
	header.write("data", 36);
	header.writeUInt32LE(samples.byteLength, 40);
	return Buffer.concat([header, samples]);
}

/** Returns a truncated MP4 file, whose type is recognizable. */
export function mp4Head(): Uint8Array {
	return Buffer.concat([Buffer.from("\0\0\0\x20ftypisom"), Buffer.alloc(100)]);
}
