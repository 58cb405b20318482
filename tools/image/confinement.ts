// Runs something on an image's root as a container engine does: in namespaces of its own, as process 1. The programs of this
// machine stand in for the base image, with this Node in place of its; they are there only while something runs.
import { spawnSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";

const BASE_FOLDERS = ["usr", "bin", "sbin", "lib", "lib64", "etc"].filter((name) => existsSync(`/${name}`));
/** Where this Node stands there. */
const NODE_FOLDER = "/opt/node/bin";

export interface Image {
	readonly root: string;
	readonly env: Readonly<Record<string, string>>;
	readonly folder: string;
	readonly uid: number;
	readonly gid: number;
	readonly volume: string;
	readonly healthcheck: readonly string[];
	readonly cmd: readonly string[];
}

/** Why it cannot be done on this machine; `undefined` where it can. */
export function whyNotConfined(): string | undefined {
	if (process.platform !== "linux" || process.getuid?.() !== 0) return "it takes Linux, and root";
	const tools = ["unshare", "setpriv", "nsenter", "chroot"];
	const missing = tools.filter((tool) => spawnSync("sh", ["-c", `command -v ${tool}`]).status !== 0);
	if (missing.length > 0) return `${missing.join(", ")} not found`;
	const probe = spawnSync("unshare", ["--mount", "--pid", "--fork", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]);
	return probe.status === 0 ? undefined : "this machine makes no namespaces";
}

export function emptyImage(root: string): Image {
	for (const folder of ["proc", "dev", "tmp", NODE_FOLDER, ...BASE_FOLDERS]) {
		mkdirSync(join(root, folder), { recursive: true });
	}
	return { root, env: {}, folder: "/", uid: 0, gid: 0, volume: "", healthcheck: [], cmd: [] };
}

/** Bytes of everything that steps brought. */
export function bytesIn(root: string): number {
	return readdirSync(root, { withFileTypes: true, recursive: true })
		.filter((entry) => entry.isFile())
		.reduce((bytes, { parentPath, name }) => bytes + lstatSync(join(parentPath, name)).size, 0);
}

/** What precedes a step of a build: it may write everywhere, and use one folder of this machine. */
export function asStep(image: Image, alsoThere: string | undefined): readonly string[] {
	const path = `PATH=${NODE_FOLDER}:${process.env["PATH"]}`;
	const also = alsoThere === undefined || alsoThere === "/" ? [] : bind(image, alsoThere, alsoThere);
	return [...namespaces([...base(image), ...also], image), "env", "-C", image.folder, path];
}

/** What precedes the image's own command: nothing can be written but the volume and /tmp. */
export function asContainer(image: Image, env: Readonly<Record<string, string>>): readonly string[] {
	const { root, volume } = image;
	const readOnly = [...bind(image, `${root}${volume}`, volume), `mount -o remount,bind,ro '${root}'`];
	return [...namespaces([...base(image), ...readOnly], image), ...asItsUser(image, env)];
}

/** What precedes a command that joins the one with this process id, as `docker exec` does. */
export function asExec(image: Image, env: Readonly<Record<string, string>>, pid: number): readonly string[] {
	return ["nsenter", `--target=${pid}`, "--mount", "--pid", "--root", ...asItsUser(image, env)];
}

function bind({ root }: Image, from: string, to: string): readonly string[] {
	return [`mkdir -p '${root}${to}'`, `mount --rbind '${from}' '${root}${to}'`];
}

function base(image: Image): readonly string[] {
	const { root } = image;
	const readOnly = (from: string, to: string): readonly string[] => [
		...bind(image, from, to),
		`mount -o remount,bind,ro '${root}${to}'`,
	];
	return [
		`mount --bind '${root}' '${root}'`,
		...BASE_FOLDERS.flatMap((name) => readOnly(`/${name}`, `/${name}`)),
		...readOnly(dirname(process.execPath), NODE_FOLDER),
		...bind(image, "/dev", "/dev"),
		`mount -t proc proc '${root}/proc'`,
		`mount -t tmpfs -o mode=1777 tmpfs '${root}/tmp'`,
	];
}

function namespaces(mounts: readonly string[], { root }: Image): readonly string[] {
	const script = ["set -e", ...mounts, `exec chroot '${root}' "$@"`].join("\n");
	return ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--propagation=private", "sh", "-c", script, "sh"];
}

/** The image's user without any capability, with what the image says of the environment, and nothing else. */
function asItsUser({ uid, gid, env, folder }: Image, more: Readonly<Record<string, string>>): readonly string[] {
	const user = [`--reuid=${uid}`, `--regid=${gid}`, "--clear-groups"];
	const privileges = ["--bounding-set=-all", "--inh-caps=-all", "--no-new-privs"];
	const values = { PATH: `${NODE_FOLDER}:/usr/local/bin:/usr/bin:/bin`, HOME: "/home/node", ...env, ...more };
	const words = Object.entries(values).map(([name, value]) => `${name}=${value}`);
	return ["setpriv", ...user, ...privileges, "env", "-i", "-C", folder, ...words];
}
