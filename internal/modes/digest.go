package modes

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"math"
)

// orderDigest is SHA-256 over sample numbers as little-endian int64, in the order in which they were trained.
type orderDigest struct {
	hash   hash.Hash
	buffer []byte // [batch*8], reused
}

func newOrderDigest(batch int) *orderDigest {
	return &orderDigest{hash: sha256.New(), buffer: make([]byte, 8*batch)}
}

// add takes the samples of one batch.
func (d *orderDigest) add(samples []int32) {
	for i, s := range samples {
		binary.LittleEndian.PutUint64(d.buffer[8*i:], uint64(s))
	}
	d.hash.Write(d.buffer[:8*len(samples)])
}

// String is the digest so far in hexadecimal.
func (d *orderDigest) String() string { return hex.EncodeToString(d.hash.Sum(nil)) }

// weightsDigest is SHA-256 over the arena as little-endian float32, in hexadecimal.
func weightsDigest(weights []float32) string {
	bytes := make([]byte, 0, 4*len(weights))
	for _, w := range weights {
		bytes = binary.LittleEndian.AppendUint32(bytes, math.Float32bits(w))
	}
	sum := sha256.Sum256(bytes)
	return hex.EncodeToString(sum[:])
}
