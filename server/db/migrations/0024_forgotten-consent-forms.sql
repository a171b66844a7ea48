ALTER TABLE "consents" ALTER COLUMN "signature" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "consents" ALTER COLUMN "address" DROP NOT NULL;