# The service in one image. docs/howto/run-in-containers.md says how to build and run it.

FROM node:24-trixie-slim AS page
WORKDIR /src/page
COPY page/.npmrc page/package.json page/package-lock.json ./
# As `make web` does, without the type check: the build strips types.
RUN npm install --no-save
COPY examples ../examples
COPY page ./
RUN npm run build

# The full image has the compiler; the slim one below, of the same Debian, has the libraries that
# the compiled core needs.
FROM python:3.13-trixie AS build
ARG EXTRAS=postgres,plot,xlsx,pyvrp,hgs,ortools
RUN python -m venv /opt/splitroute
ENV PATH=/opt/splitroute/bin:$PATH
WORKDIR /src
COPY pyproject.toml CMakeLists.txt README.md LICENSE ./
COPY cpp cpp
COPY licenses licenses
COPY src src
COPY --from=page /src/src/splitroute/web/page src/splitroute/web/page
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels . \
    && pip install --no-cache-dir "$(echo /wheels/*.whl)[$EXTRAS]"

FROM python:3.13-slim-trixie
# Jobs are stored in the user's home, and so are the answers of road servers.
RUN useradd --no-log-init --uid 10001 --user-group --no-create-home --home-dir /data splitroute \
    && install --directory --owner splitroute --group splitroute /data
COPY --from=build /opt/splitroute /opt/splitroute
ENV HOME=/data PATH=/opt/splitroute/bin:$PATH
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 8765
# Not through the proxy that Docker's settings may put into the environment.
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s --retries=3 CMD ["python", "-c", \
    "from urllib.request import *; build_opener(ProxyHandler({})).open('http://127.0.0.1:8765/health', timeout=4)"]
ENTRYPOINT ["splitroute"]
# Listening on all addresses requires SPLITROUTE_TOKEN.
CMD ["serve", "--host", "0.0.0.0", "--port", "8765", "--store", "sqlite:////data/jobs.db"]
