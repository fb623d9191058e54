// step_bound: how fast one core of this machine takes whole training steps of the 1D CNN of the experiment, in C with AVX-512, float32:
// conv 24x9 + bias + ReLU + max-pool 4, dense 576->20 + ReLU, dense 20->2, softmax, cross-entropy, all gradients, Adam.
// A yardstick to hold kernels against in the same minute on the same machine. It is a bound that was reached, not the best there can be.
//   gcc -O3 -march=native -o /tmp/step_bound step_bound.c -lm && taskset -c 0 /tmp/step_bound
// Prints: for batch 64 and 512 the nanoseconds a sample of the whole step (best and median of 9 rounds), the parts, and the peak FMA rate.
// The first and last loss show that it really trains. `step_bound serve` measures on request instead, see serve below.
// Layout: 16 samples ride in the 16 lanes of a register; x[D][16], activations a[A][16] with A = position*24 + filter.
#if !defined(__AVX512F__) || !defined(__AVX512DQ__)
#error "the yardstick is written for CPUs with AVX-512 F and DQ"
#endif
#include <immintrin.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
enum { D = 104, F = 24, K = 9, P = 4, Q = 24, A = Q * F, H = 20, C = 2, L = 16, BLOCK = 64 };
typedef __m512 V;
#define LOAD _mm512_load_ps
#define STORE _mm512_store_ps
#define SET1 _mm512_set1_ps
#define FMA _mm512_fmadd_ps
static float *alloc(size_t n) { void *p; if (posix_memalign(&p, 64, (n + 64) * 4)) exit(1); memset(p, 0, (n + 64) * 4); return p; }
static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec + 1e-9 * t.tv_nsec; }

// One arena: w1[H][A], b1[H], wc[F][K], bc[F], w2[C][H], b2[C]; gradients and Adam's moments lie alike.
enum { W1 = 0, B1 = W1 + H * A, WC = B1 + H, BC = WC + F * K, W2 = BC + F, B2 = W2 + C * H, PARAMS = B2 + C };
static float *w, *g, *m1, *m2;

// 16 rows of 16 floats -> 16 columns of 16 floats
static inline void transpose16(const float *const *rows, int c, float *out, int stride) {
  V r[16], t[16];
  for (int i = 0; i < 16; i++) r[i] = _mm512_loadu_ps(rows[i] + c);
  for (int i = 0; i < 8; i++) { t[2 * i] = _mm512_unpacklo_ps(r[2 * i], r[2 * i + 1]); t[2 * i + 1] = _mm512_unpackhi_ps(r[2 * i], r[2 * i + 1]); }
  for (int i = 0; i < 4; i++) {
    __m512d a = _mm512_castps_pd(t[4 * i]), b = _mm512_castps_pd(t[4 * i + 1]), c2 = _mm512_castps_pd(t[4 * i + 2]), d = _mm512_castps_pd(t[4 * i + 3]);
    r[4 * i] = _mm512_castpd_ps(_mm512_unpacklo_pd(a, c2)); r[4 * i + 1] = _mm512_castpd_ps(_mm512_unpackhi_pd(a, c2));
    r[4 * i + 2] = _mm512_castpd_ps(_mm512_unpacklo_pd(b, d)); r[4 * i + 3] = _mm512_castpd_ps(_mm512_unpackhi_pd(b, d));
  }
  for (int i = 0; i < 4; i++) {
    t[i] = _mm512_shuffle_f32x4(r[i], r[4 + i], 0x88); t[4 + i] = _mm512_shuffle_f32x4(r[i], r[4 + i], 0xdd);
    t[8 + i] = _mm512_shuffle_f32x4(r[8 + i], r[12 + i], 0x88); t[12 + i] = _mm512_shuffle_f32x4(r[8 + i], r[12 + i], 0xdd);
  }
  for (int i = 0; i < 4; i++) {
    STORE(out + stride * i, _mm512_shuffle_f32x4(t[i], t[8 + i], 0x88)); STORE(out + stride * (i + 8), _mm512_shuffle_f32x4(t[i], t[8 + i], 0xdd));
    STORE(out + stride * (i + 4), _mm512_shuffle_f32x4(t[4 + i], t[12 + i], 0x88)); STORE(out + stride * (i + 12), _mm512_shuffle_f32x4(t[4 + i], t[12 + i], 0xdd));
  }
}
// a = pool(relu(conv(x))); mask[A][P] says which of the P positions the pool chose (none where ReLU shut it)
static void conv(const float *x, float *a, __mmask16 *mask) {
  for (int q = 0; q < Q; q++) {
    V xs[12]; for (int s = 0; s < 12; s++) xs[s] = LOAD(x + (4 * q + s) * L);
    for (int f = 0; f < F; f += 3) {
      V c[12];
      for (int u = 0; u < 3; u++) for (int r = 0; r < P; r++) c[u * 4 + r] = SET1(w[BC + f + u]);
#pragma GCC unroll 9
      for (int k = 0; k < K; k++)
        for (int u = 0; u < 3; u++) { V wv = SET1(w[WC + (f + u) * K + k]); for (int r = 0; r < P; r++) c[u * 4 + r] = FMA(xs[r + k], wv, c[u * 4 + r]); }
      for (int u = 0; u < 3; u++) {
        V mx = _mm512_max_ps(_mm512_max_ps(c[u * 4], c[u * 4 + 1]), _mm512_max_ps(c[u * 4 + 2], c[u * 4 + 3]));
        __mmask16 pos = _mm512_cmp_ps_mask(mx, _mm512_setzero_ps(), _CMP_GT_OQ);
        __mmask16 e0 = _mm512_mask_cmp_ps_mask(pos, c[u * 4], mx, _CMP_EQ_OQ), e1 = _mm512_mask_cmp_ps_mask(pos & ~e0, c[u * 4 + 1], mx, _CMP_EQ_OQ);
        __mmask16 e2 = _mm512_mask_cmp_ps_mask(pos & ~e0 & ~e1, c[u * 4 + 2], mx, _CMP_EQ_OQ);
        __mmask16 *mm = mask + (q * F + f + u) * P; mm[0] = e0; mm[1] = e1; mm[2] = e2; mm[3] = pos & ~e0 & ~e1 & ~e2;
        STORE(a + (q * F + f + u) * L, _mm512_maskz_mov_ps(pos, mx));
      }
    }
  }
}
static void dense1(const float *a, float *h) {
  V c[H]; for (int j = 0; j < H; j++) c[j] = SET1(w[B1 + j]);
  for (int i = 0; i < A; i++) { V x = LOAD(a + i * L);
#pragma GCC unroll 20
    for (int j = 0; j < H; j++) c[j] = FMA(x, SET1(w[W1 + j * A + i]), c[j]); }
  for (int j = 0; j < H; j++) STORE(h + j * L, _mm512_max_ps(c[j], _mm512_setzero_ps()));
}
// dense 2, softmax, loss; fills dh (through ReLU) and adds to the lane accumulators of w2, b2, b1
static float head(const float *h, const uint8_t *label, float scale, float *dh, float *acc2) {
  V z0 = SET1(w[B2]), z1 = SET1(w[B2 + 1]);
  for (int j = 0; j < H; j++) { V v = LOAD(h + j * L); z0 = FMA(v, SET1(w[W2 + j]), z0); z1 = FMA(v, SET1(w[W2 + H + j]), z1); }
  float a0[16] __attribute__((aligned(64))), a1[16] __attribute__((aligned(64))), loss = 0; STORE(a0, z0); STORE(a1, z1);
  for (int s = 0; s < L; s++) { float d = a1[s] - a0[s], p1 = 1 / (1 + expf(-d)), t = label[s]; loss -= t ? logf(p1 + 1e-7f) : logf(1 - p1 + 1e-7f); a1[s] = (p1 - t) * scale; a0[s] = -a1[s]; }
  V d0 = LOAD(a0), d1 = LOAD(a1);
  for (int j = 0; j < H; j++) { V v = LOAD(h + j * L); STORE(acc2 + j * L, FMA(v, d0, LOAD(acc2 + j * L))); STORE(acc2 + (H + j) * L, FMA(v, d1, LOAD(acc2 + (H + j) * L)));
    V e = FMA(d0, SET1(w[W2 + j]), _mm512_mul_ps(d1, SET1(w[W2 + H + j])));
    e = _mm512_maskz_mov_ps(_mm512_cmp_ps_mask(v, _mm512_setzero_ps(), _CMP_GT_OQ), e); STORE(dh + j * L, e); STORE(acc2 + (2 * H + 2 + j) * L, _mm512_add_ps(e, LOAD(acc2 + (2 * H + 2 + j) * L))); }
  STORE(acc2 + 2 * H * L, _mm512_add_ps(d0, LOAD(acc2 + 2 * H * L))); STORE(acc2 + (2 * H + 1) * L, _mm512_add_ps(d1, LOAD(acc2 + (2 * H + 1) * L)));
  return loss;
}
static void dinput(const float *dh, float *da) {
  V d[H]; for (int j = 0; j < H; j++) d[j] = LOAD(dh + j * L);
  for (int i = 0; i < A; i += 4) { V s[4]; for (int u = 0; u < 4; u++) s[u] = _mm512_setzero_ps();
#pragma GCC unroll 20
    for (int j = 0; j < H; j++) for (int u = 0; u < 4; u++) s[u] = FMA(d[j], SET1(w[W1 + j * A + i + u]), s[u]);
    for (int u = 0; u < 4; u++) STORE(da + (i + u) * L, s[u]); }
}
// g.w1[j][i] += sum over S samples of a[s][i] * dh[s][j], rows
static void dweights1(const float *ar, const float *dhr, int S) {
  for (int i = 0; i < A; i += L) { V c[H]; for (int j = 0; j < H; j++) c[j] = _mm512_loadu_ps(g + W1 + j * A + i);
    for (int s = 0; s < S; s++) { V x = LOAD(ar + s * A + i);
#pragma GCC unroll 20
      for (int j = 0; j < H; j++) c[j] = FMA(x, SET1(dhr[s * 32 + j]), c[j]); }
    for (int j = 0; j < H; j++) _mm512_storeu_ps(g + W1 + j * A + i, c[j]); }
}
// lane accumulators acc[F][K+1][16] (the last one is the bias)
static void dconv(const float *x, const float *da, const __mmask16 *mask, float *acc) {
  for (int f = 0; f < F; f++) { V c[K + 1]; for (int k = 0; k <= K; k++) c[k] = LOAD(acc + (f * (K + 1) + k) * L);
    for (int q = 0; q < Q; q++) { V v = LOAD(da + (q * F + f) * L); const __mmask16 *mm = mask + (q * F + f) * P;
      V g0 = _mm512_maskz_mov_ps(mm[0], v), g1 = _mm512_maskz_mov_ps(mm[1], v), g2 = _mm512_maskz_mov_ps(mm[2], v), g3 = _mm512_maskz_mov_ps(mm[3], v);
      const float *xx = x + 4 * q * L; c[K] = _mm512_add_ps(c[K], _mm512_add_ps(_mm512_add_ps(g0, g1), _mm512_add_ps(g2, g3)));
#pragma GCC unroll 9
      for (int k = 0; k < K; k++) { c[k] = FMA(g0, LOAD(xx + k * L), c[k]); c[k] = FMA(g1, LOAD(xx + (k + 1) * L), c[k]); c[k] = FMA(g2, LOAD(xx + (k + 2) * L), c[k]); c[k] = FMA(g3, LOAD(xx + (k + 3) * L), c[k]); } }
    for (int k = 0; k <= K; k++) STORE(acc + (f * (K + 1) + k) * L, c[k]); }
}
// Keras's form; moments below 2^-100 become zero, so that none turns subnormal
static void adam(int step) {
  V lr = SET1((float)(1e-3 * sqrt(1 - pow(.999, step)) / (1 - pow(.9, step)))), tiny = SET1(0x1p-100f);
  for (int i = 0; i < PARAMS; i += L) { V gr = LOAD(g + i), a = LOAD(m1 + i), b = LOAD(m2 + i);
    a = FMA(_mm512_sub_ps(gr, a), SET1(.1f), a); b = FMA(_mm512_sub_ps(_mm512_mul_ps(gr, gr), b), SET1(.001f), b);
    a = _mm512_maskz_mov_ps(_mm512_cmp_ps_mask(_mm512_abs_ps(a), tiny, _CMP_GT_OQ), a); b = _mm512_maskz_mov_ps(_mm512_cmp_ps_mask(b, tiny, _CMP_GT_OQ), b);
    STORE(m1 + i, a); STORE(m2 + i, b); STORE(w + i, _mm512_sub_ps(LOAD(w + i), _mm512_div_ps(_mm512_mul_ps(lr, a), _mm512_add_ps(_mm512_sqrt_ps(b), SET1(1e-7f))))); }
}
static float *series, *x, *a, *ar, *h, *dh, *dhr, *da, *acc, *acc2; static uint8_t *label; static __mmask16 *mask; static int N = 1 << 20; static double part[8];
static uint32_t seed = 1; static uint32_t rnd(void) { seed ^= seed << 13; seed ^= seed >> 17; return seed ^= seed << 5; }
static double reading; // what the clock takes to be read, which is in each timed part once
#define TIMED(p, code) { if (timed) { double t_ = now(); code; part[p] += now() - t_ - reading; } else { code; } }
static float step(int B, int number, int timed) {
  float loss = 0; memset(g, 0, PARAMS * 4); memset(acc, 0, F * (K + 1) * L * 4); memset(acc2, 0, (3 * H + 2) * L * 4);
  for (int s0 = 0; s0 < B; s0 += BLOCK) { int S = B - s0 < BLOCK ? B - s0 : BLOCK;
    for (int b = 0; b < S; b += L) {
      const float *rows[16]; uint8_t y[16]; for (int s = 0; s < 16; s++) { uint32_t i = rnd() % N; rows[s] = series + i; y[s] = label[i]; }
      TIMED(0, for (int c = 0; c < D; c += 16) transpose16(rows, c, x + c * L, L))
      TIMED(1, conv(x, a, mask))
      TIMED(2, dense1(a, h))
      TIMED(3, loss += head(h, y, 1.f / B, dh, acc2))
      TIMED(4, dinput(dh, da))
      TIMED(5, { const float *rr[16]; for (int c = 0; c < A; c += 16) { for (int s = 0; s < 16; s++) rr[s] = a + (c + s) * L; transpose16(rr, 0, ar + b * A + c, A); }
        for (int s = 0; s < 16; s++) rr[s] = dh + s * L; transpose16(rr, 0, dhr + b * 32, 32); for (int s = 16; s < 32; s++) rr[s - 16] = dh + (s < H ? s : 16) * L; transpose16(rr, 0, dhr + b * 32 + 16, 32); })
      TIMED(6, dconv(x, da, mask, acc))
    }
    TIMED(5, dweights1(ar, dhr, S))
  }
  TIMED(7, {
    for (int f = 0; f < F; f++) { for (int k = 0; k < K; k++) g[WC + f * K + k] = _mm512_reduce_add_ps(LOAD(acc + (f * (K + 1) + k) * L)); g[BC + f] = _mm512_reduce_add_ps(LOAD(acc + (f * (K + 1) + K) * L)); }
    for (int j = 0; j < 2 * H + 2; j++) g[W2 + j] = _mm512_reduce_add_ps(LOAD(acc2 + j * L));
    for (int j = 0; j < H; j++) g[B1 + j] = _mm512_reduce_add_ps(LOAD(acc2 + (2 * H + 2 + j) * L));
    adam(number); })
  return loss / B;
}
static double peak(void) { // 24 independent accumulators keep both FMA ports busy
  V c[24], u = SET1(1.0000001f), v = SET1(1e-9f); for (int i = 0; i < 24; i++) c[i] = SET1((float)i);
  long R = 4000000; double best = 1e9; for (int n = 0; n < 3; n++) { double t = now();
    for (long r = 0; r < R; r++) {
#pragma GCC unroll 24
      for (int i = 0; i < 24; i++) c[i] = FMA(c[i], u, v); }
    t = now() - t; if (t < best) best = t; }
  V s = c[0]; for (int i = 1; i < 24; i++) s = _mm512_add_ps(s, c[i]); volatile float sink = _mm512_reduce_add_ps(s); (void)sink;
  return 24.0 * 32 * R / best / 1e9;
}
static void init(void) {
  memset(m1, 0, PARAMS * 4); memset(m2, 0, PARAMS * 4); memset(w, 0, PARAMS * 4); seed = 1;
  float l1 = sqrtf(6.f / (A + H)), lc = sqrtf(6.f / (K + K * F)), l2 = sqrtf(6.f / (H + C));
  for (int i = 0; i < H * A; i++) w[W1 + i] = l1 * (rnd() / 2147483648.f - 1); for (int i = 0; i < F * K; i++) w[WC + i] = lc * (rnd() / 2147483648.f - 1); for (int i = 0; i < C * H; i++) w[W2 + i] = l2 * (rnd() / 2147483648.f - 1);
}
static int by_size(const void *p, const void *q) { double d = *(const double *)p - *(const double *)q; return d < 0 ? -1 : d > 0; }
static void setup(void) {
  w = alloc(PARAMS); g = alloc(PARAMS); m1 = alloc(PARAMS); m2 = alloc(PARAMS); series = alloc(N + 256); x = alloc(112 * L); a = alloc(A * L); ar = alloc(BLOCK * A); h = alloc(H * L); dh = alloc(32 * L); dhr = alloc(BLOCK * 32); da = alloc(A * L);
  acc = alloc(F * (K + 1) * L); acc2 = alloc((3 * H + 2) * L); mask = (__mmask16 *)alloc(A * P); label = (uint8_t *)alloc(N / 4 + 64);
  uint8_t *mark = calloc(N + 256, 1); for (int i = 0; i < N + 256; i++) { float u = 0; for (int n = 0; n < 12; n++) u += rnd() / 4294967296.f; mark[i] = rnd() % 100 == 0; series[i] = sinf(i) + .2f * (u - 6) + (mark[i] ? .5f : 0); }
  for (int i = 0, n = 0; i < N + D; i++) { n += mark[i]; if (i >= D) n -= mark[i - D]; if (i >= D - 1) label[(i - D + 1) % N] = n > 0; } // anomalies rarer than in the experiment, so that there is something to learn
}
// One request a line on standard input, one line in answer; numbers in nanoseconds a sample. Each begins with a step that is not timed.
//   step BATCH STEPS    the whole step
//   parts BATCH STEPS   the eight parts, in the order of TIMED's first argument, without the readings of the clock
// It says "ready" first, and trains on for as long as it is asked. A request that it does not understand ends it with status 2.
static int serve(void) {
  reading = 1; for (int i = 0; i < 1000; i++) { double t = now(); t = now() - t; if (t < reading) reading = t; }
  init(); printf("ready\n"); fflush(stdout);
  char what[8]; int B, R, n = 0;
  while (scanf("%7s %d %d", what, &B, &R) == 3) {
    int timed = !strcmp(what, "parts");
    if (B < L || B % L || R < 1 || (!timed && strcmp(what, "step"))) return 2;
    step(B, ++n, timed); memset(part, 0, sizeof part);
    double t = now(); for (int s = 0; s < R; s++) step(B, ++n, timed); t = now() - t;
    if (timed) for (int p = 0; p < 8; p++) printf("%.3f%c", part[p] / R / B * 1e9, p < 7 ? ' ' : '\n'); else printf("%.3f\n", t / R / B * 1e9);
    fflush(stdout);
  }
  return feof(stdin) ? 0 : 2;
}
int main(int argc, char **argv) {
  setup();
  if (argc > 1) return strcmp(argv[1], "serve") ? 2 : serve();
  const char *name[8] = {"windows into lanes", "conv + ReLU + pool", "dense 1", "dense 2, softmax, loss", "gradient to activations", "gradient to dense 1 weights", "gradient to conv weights", "sums, Adam"};
  for (int B = 64; B <= 512; B += 448) {
    init(); double t[9]; int n = 0, R = 65536 / B; float first = 0, last = 0;
    for (int r = 0; r < 10; r++) { double t0 = now(); for (int s = 0; s < R; s++) { last = step(B, ++n, 0); if (n == 1) first = last; } if (r) t[r - 1] = (now() - t0) / R / B * 1e9; }
    memset(part, 0, sizeof part); for (int s = 0; s < R; s++) step(B, ++n, 1);
    qsort(t, 9, sizeof *t, by_size);
    printf("batch %d whole step: best %.0f median %.0f ns/sample (loss %.3f -> %.3f)\n", B, t[0], t[4], first, last);
    for (int p = 0; p < 8; p++) printf("  %-28s %6.0f ns/sample\n", name[p], part[p] / R / B * 1e9);
  }
  double pk = peak(), fl = 2.0 * (Q * P * F * K + 3 * A * H + Q * F * K);
  printf("peak FMA %.0f GFLOPS on one core; the step's useful %.0f FLOP a sample at that rate: %.0f ns\n", pk, fl, fl / pk);
}
