const dataUri = (type: string, bytes: Buffer): string => `data:image/${type};base64,${bytes.toString("base64")}`;

/** The header of a PNG of 10 by 20, as a data URI. */
export const PNG_DATA = dataUri(
	"png",
	Buffer.concat([Buffer.from("89504e470d0a1a0a0000000d494844520000000a00000014", "hex"), Buffer.alloc(20)]),
);

/** The header of a GIF of 10 by 20. */
export const GIF_DATA = dataUri("gif", Buffer.concat([Buffer.from("4749463839610a001400", "hex"), Buffer.alloc(20)]));
