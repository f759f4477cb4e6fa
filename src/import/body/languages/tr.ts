import type { Language } from './language.ts';

export const turkish: Language = {
  added: `Eklendi, Eklenen, Eklenenler, Eklenen özellikler, Eklemeler, Yeni, Yeni özellik, Yeni özellikler, Yenilikler,
    Özellikler`,
  changed: 'Değişti, Değiştirildi, Değişen, Değişenler',
  changes: 'Değişiklik, Değişiklikler',
  enhanced: '',
  improved: `İyileştirildi, İyileştirme, İyileştirmeler, Geliştirildi, Geliştirme, Geliştirmeler, Performans,
    Performans iyileştirmeleri, Güncellendi, Güncelleme, Güncellemeler, Optimizasyon, Bağımlılıklar`,
  deprecated: 'Rafa kalktı, Kullanımdan kaldırıldı, Kullanım dışı',
  removed: 'Kaldırıldı, Kaldırılan, Kaldırılanlar, Silindi, Çıkarıldı',
  fixed: `Düzeltildi, Düzeltme, Düzeltmeler, Düzeltilen, Düzeltilenler, Düzeltilen hatalar, Hata düzeltmeleri, Hata düzeltme,
    Giderildi, Çözüldü, Çözülen sorunlar, Hatalar`,
  security: 'Güvenlik, Güvenlik düzeltmeleri',
  other:
    'Belgeler, Dokümantasyon, Testler, Altyapı, Bilinen sorunlar, Bilinen hatalar, Teşekkürler, Notlar, Bakım, Teknik',
  vague: 'Diğer, Diğer değişiklikler, Çeşitli, Genel',
  breaking: 'uyumsuz, kırıcı, kıran, geriye dönük uyumsuz',
};
