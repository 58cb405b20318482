/** Returns the file name in a URL: as it is there if it is not encoded, which the addresses of others need not be. */
export function fileNameOf(url: string): string {
	const name = new URL(url).pathname.split("/").at(-1) ?? "";
	try {
		return decodeURIComponent(name);
	} catch {
		return name;
	}
}
