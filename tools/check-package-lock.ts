// Fails if package-lock.json is incomplete after `npm install`: the second half of `npm run lock`. A registry mirror
// may lack the newest prebuilt binaries of platforms that its users do not have. npm then silently omits those
// optional packages from the lock, and a later `npm ci` on such a platform rejects the file.
import { lockProblems } from "./package-lock.ts";

const problems = lockProblems();
for (const problem of problems) console.error(problem);
if (problems.length > 0) {
	console.error("Choose a version whose packages the registry has for every platform, or use another registry.");
	process.exitCode = 1;
}
