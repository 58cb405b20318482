#!/bin/sh
# Bundles the bot, installs the production dependencies in an empty folder, as the Dockerfile does, starts the bot there, types /image in the
# playground, backs up, stops the bot, and restores the backup. Needs no container engine. Usage: sh tools/check-production-install.sh
set -eu
cd "$(dirname "$0")/.."
node=$(node tools/node24.mjs --print process.execPath)
app=$(mktemp -d)
pid=
trap '[ -z "$pid" ] || kill -9 "$pid" 2>/dev/null || true; rm -rf "$app"' EXIT

# Must match the COPY lines of the Dockerfile.
npm run build
cp -r package.json package-lock.json .npmrc LICENSE packages src dist "$app"
mkdir "$app/tools" "$app/docs"
cp -r tools/node tools/no-webrtc tools/atelier.mjs tools/node24.mjs tools/stop-when-launcher-ends.mjs "$app/tools"
cp docs/licenses.md "$app/docs"
cd "$app"
npm ci --omit=dev --loglevel=error

port=$("$node" --eval 'import("@atelier/common/testing/free-port").then(async ({ freePort }) => console.log(await freePort()))')
# An engine file loads the engines of every kind.
echo '{ "engines": { "sketch": { "kind": "sketch" } }, "models": [] }' > engines.json
export STUDIO_ENGINES="$app/engines.json" PORT="$port" DATA_DIR="$app/data" NODE_ENV=production LOG_LEVEL=warn
"$node" --heap-growing-percent=60 --max-semi-space-size=16 --wasm-tiering-budget=1000000000 dist/index.js &
pid=$!

cat > type-command.ts <<'TS'
import { setTimeout as sleep } from "node:timers/promises";
import { isFinalReply } from "./src/discord/is-final-reply.ts";
import { openUserClient } from "@atelier/playground/user-client";
import { filesOf, textOf } from "@atelier/playground/user-client/message-contents";

const origin = `http://127.0.0.1:${process.env["PORT"]}`;
const isReady = async () => (await fetch(`${origin}/readyz`).catch(() => undefined))?.ok === true;
for (let attempt = 0; !(await isReady()); attempt++) {
	if (attempt === 2400) throw new Error("not ready after four minutes");
	await sleep(100);
}
const user = await openUserClient(origin);
const reply = await user.type("/image", { prompt: "a lighthouse in a storm" });
const answer = await reply.until(isFinalReply, 120_000);
const [file] = filesOf(answer);
if (!file) throw new Error(`/image delivered no file: ${textOf(answer)}`);
const { byteLength } = await user.download(file);
console.log(`/image delivered ${file.filename}, ${byteLength} bytes`);
await user.close();
TS
"$node" type-command.ts
PATH="$(dirname "$node"):$PATH"
tools/atelier.mjs credits audit
tools/atelier.mjs backup "$app/check.backup"
if tools/atelier.mjs restore "$app/check.backup" --replace; then
	echo "restored the store of a running bot" && exit 1
fi

kill -TERM "$pid"
wait "$pid"
pid=
tools/atelier.mjs restore "$app/check.backup" --replace
tools/atelier.mjs restore --open
echo "production install: started, delivered, stopped with code 0, restored; $(du -sm node_modules | cut -f1) MB of dependencies"
