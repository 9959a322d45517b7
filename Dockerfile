# syntax=docker/dockerfile:1

# Raise it with each release of Node.js. A tag can be moved: to build the same image each time, give the digest that you have
# checked, --build-arg NODE_IMAGE=node:22.23.2-bookworm-slim@sha256:...
ARG NODE_IMAGE=node:22.23.2-bookworm-slim

# Packages, compiler and bundler, whose program for this machine is an optional package.
FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY tsconfig.base.json bundle.mjs bundle-console.mjs bundle-elements.mjs ./
COPY apps apps
COPY libs libs
RUN npm run build

# What runs. Without optional packages: the bundled Postgres stays out, DATABASE_URL is required in a container.
FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund --omit=dev --omit=optional && npm cache clean --force

FROM ${NODE_IMAGE}
ARG NODE_IMAGE
LABEL org.opencontainers.image.title="Assent" \
  org.opencontainers.image.description="Self-hosted consent and preference management: event-sourced, provable, fast" \
  org.opencontainers.image.version="0.1.0" \
  org.opencontainers.image.licenses="Apache-2.0" \
  org.opencontainers.image.base.name="docker.io/library/${NODE_IMAGE}"
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4100 ASSENT_DATA=/data
WORKDIR /app
COPY package.json LICENSE ./
COPY --from=packages /app/node_modules node_modules
COPY --from=build /app/dist/apps dist/apps
COPY docs docs
COPY apps/v8.env apps/v8.env
COPY apps/cli/assent.mjs apps/cli/begin.mjs apps/cli/
COPY apps/standalone/node-version.cjs apps/standalone/node-version.cjs
COPY apps/cli/bundle apps/cli/bundle
COPY apps/standalone/demo apps/standalone/demo
RUN ln -s /app/apps/cli/assent.mjs /usr/local/bin/assent && install -d -m 0700 -o node -g node /data
USER node
VOLUME /data
EXPOSE 4100
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/livez`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Any program of dist/apps, with the options of V8 that the build compiled it with; NODE_OPTIONS of yours come after them.
ENTRYPOINT ["/bin/sh", "-c", ". apps/v8.env && NODE_OPTIONS=\"$V8_OPTIONS $NODE_OPTIONS\" exec node \"$@\"", "assent"]
CMD ["dist/apps/standalone/main.js"]
