/** The head of a PNG of 10 by 20, and enough after it to be a file. */
export const PICTURE = Buffer.concat([
	Buffer.from("89504e470d0a1a0a0000000d494844520000000a00000014", "hex"),
	Buffer.alloc(5_000, 3),
]);
