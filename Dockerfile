# Atelier in a container: docs/container.md. tools/check-production.sh tries the same files where there is no container engine.
# Rebuilding brings Node's and Debian's fixes; who wants the same bytes each time builds with NODE_IMAGE=node@sha256:….
ARG NODE_IMAGE=node:24-slim

FROM $NODE_IMAGE AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY tools/node ./tools/node
COPY tools/no-webrtc ./tools/no-webrtc
COPY packages ./packages
RUN npm ci --omit=dev

FROM $NODE_IMAGE
# Inside, every address is the container's: who reaches it is decided by what is published, which is 127.0.0.1 everywhere in the docs.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data PLAYGROUND_REACH=network \
	# What is compiled once is kept: the next start takes half as long, and 10 MiB less.
	NODE_COMPILE_CACHE=/data/compiled
WORKDIR /app
RUN install -d -o 1000 -g 1000 /data
COPY --from=dependencies /app/node_modules ./node_modules
COPY package.json LICENSE ./
COPY docs/licences.md ./docs/
COPY packages ./packages
COPY src ./src
# An operator types `docker exec NAME atelier`, as the log names it.
COPY tools/atelier.mjs tools/node24.mjs tools/leave-with-launcher.mjs ./tools/
RUN ln -s /app/tools/atelier.mjs /usr/local/bin/atelier
# By number, so that an orchestrator can see that it is not root.
USER 1000:1000
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
	CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/livez`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Node itself is process 1 (or below the one of --init), so that it hears the signal to stop.
# The flag speeds up the delivery of large files (docs/performance.md).
CMD ["node", "--heap-growing-percent=60", "src/index.ts"]
